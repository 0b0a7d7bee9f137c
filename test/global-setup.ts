import type { TestProject } from 'vitest/node';
import { FAST, makeTemplate, startTestCluster, type SocketAddress } from './cluster.ts';
import { startExternalPostgres } from './external-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: SocketAddress;
  }
}

// TEST_POSTGRES=FOLDER, with bin/ in it ('embedded': ours), runs the tests on a PostgreSQL as initdb makes it, in
// TEST_LOCALE (C.UTF-8).
const { TEST_POSTGRES = '', TEST_LOCALE = 'C.UTF-8' } = process.env;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (TEST_POSTGRES !== '') {
    const native = TEST_POSTGRES === 'embedded' ? undefined : TEST_POSTGRES;
    const external = await startExternalPostgres({ native, locale: TEST_LOCALE, settings: FAST });
    await makeTemplate(external.owner);
    project.provide('cluster', external.owner);
    return external.stop;
  }
  const cluster = await startTestCluster();
  project.provide('cluster', cluster.address);
  return cluster.stop;
}
