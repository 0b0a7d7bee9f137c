import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  ssr: true,
  // One manifest file for all routes: cached once, no request for each new page.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
