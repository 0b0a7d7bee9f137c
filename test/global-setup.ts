import type { TestProject } from 'vitest/node';
import { startTestCluster, type SocketAddress } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: SocketAddress;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  project.provide('cluster', cluster.address);
  return cluster.stop;
}
