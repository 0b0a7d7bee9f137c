import type { RouterContextProvider } from 'react-router';
import { keepUnder } from '#app/platform/services/services.server.ts';
import type { Topic } from './topic.ts';

/** Lets the page be cached for everybody until its minute ends, or a write concerns one of `topics`. */
export const setCacheTags = (context: Readonly<RouterContextProvider>, topics: readonly Topic[]): void =>
  context.set(keepUnder, topics);
