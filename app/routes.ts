// The table of contents: every page of the product, URL → route module.
import { index, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  index('public-search/routes/home.tsx'),
  route('search', 'public-search/routes/search.tsx'),
  route('about', 'public-search/routes/about.tsx'),
  route('vehicles/view/:rego', 'vehicles/routes/view.tsx'),
  route('calibrations/:rego/:id', 'calibrations/routes/view.tsx'),
  route('*', 'public-search/routes/no-page.tsx'),
] satisfies RouteConfig;
