// A held lease for the jobs that one node does for all, for tests of a single job.
import type { Lease } from '#app/platform/database/leader-election.server.ts';

export const HELD_LEASE: Lease = { isLost: () => false };
