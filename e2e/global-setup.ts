import { prepareRegistries } from '#test/start-registry.ts';

export default prepareRegistries;
