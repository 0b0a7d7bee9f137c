import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Whether scripts have taken over the part of the page that asks. What only they can do is not to be seen before: a part
 * that comes on its own would lose the first tap.
 */
export const useIsAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
