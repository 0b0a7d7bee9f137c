import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Whether React has hydrated the calling component: false on the server. A control that needs scripts is shown only
 * then, because a tap before hydration would be lost.
 */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
