/**
 * How V8 keeps house in the server. On a machine with much memory it would let garbage lie for as long as there is room:
 * half a gigabyte after some minutes of pages, of which 60 MB are in use. With these it collects sooner.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=16', '--max-old-space-size=512'];

/**
 * How the C library keeps house: with an arena for each thread what a decoded picture took is not given back. Two take half
 * of the memory beside large pictures, and cost nothing that was measured.
 */
export const SERVER_ENV = { MALLOC_ARENA_MAX: '2' };
