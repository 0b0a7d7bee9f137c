// The turn to do the jobs of all nodes, for tests of a job by itself.
import type { Turn } from '#app/platform/database/one-at-a-time.server.ts';

export const MY_TURN: Turn = { isOver: () => false };
