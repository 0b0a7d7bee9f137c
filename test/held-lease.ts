// The lease to do the jobs of all nodes, for tests of a job by itself.
import type { Lease } from '#app/platform/database/leader-election.server.ts';

export const HELD_LEASE: Lease = { isLost: () => false };
