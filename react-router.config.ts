import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  ssr: true,
  // One manifest file for all routes: cached once, no request for each new page.
  routeDiscovery: { mode: 'initial' },
  // A form's client action is one line: a file of its own for each would be a request and an entry in that manifest.
  splitRouteModules: false,
} satisfies Config;
