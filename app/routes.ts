// The table of contents: every page of the product, URL → route module.
import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  index('public-search/routes/home.tsx'),
  route('search', 'public-search/routes/search.tsx'),
  route('about', 'public-search/routes/about.tsx'),
  route('vehicles/view/:rego', 'vehicles/routes/view.tsx'),
  route('calibrations/:rego/:id', 'calibrations/routes/view.tsx'),

  route('login', 'account/routes/login.tsx'),
  route('tech-login', 'account/routes/tech-login.tsx'),
  route('second-factor', 'account/routes/second-factor.tsx'),
  route('reset', 'account/routes/reset.tsx'),
  route('reset/:token', 'account/routes/reset-link.tsx'),
  route('setup', 'account/routes/setup.tsx'),
  route('logout', 'account/routes/logout.tsx'),

  layout('back-office/routes/layout.tsx', [
    route('dashboard', 'back-office/routes/dashboard.tsx'),
    route('vehicles', 'vehicles/routes/list.tsx'),
    route('vehicles/new', 'vehicles/routes/new.tsx', { id: 'new-vehicle' }),
    route('vehicles/new/:rego', 'vehicles/routes/new.tsx', { id: 'new-vehicle-prefilled' }),
    route('vehicles/update/:rego', 'vehicles/routes/update.tsx'),
    route('vehicles/delete/:rego', 'vehicles/routes/delete.tsx'),
    route('vehicles/removed', 'vehicles/routes/removed.tsx'),
    route('calibrations/correct/:rego/:id', 'calibrations/routes/correct.tsx'),
    route('admins', 'admins/routes/list.tsx'),
    route('admins/new', 'admins/routes/new.tsx'),
    route('admins/view/:id', 'admins/routes/view.tsx'),
    route('admins/update/:id', 'admins/routes/update.tsx'),
    route('admins/delete/:id', 'admins/routes/delete.tsx'),
    route('new-password', 'account/routes/new-password.tsx'),
    route('my-profile', 'account/routes/my-profile.tsx'),
    route('profile/update', 'account/routes/update-profile.tsx'),
    route('settings', 'back-office/routes/settings.tsx'),
    route('settings/second-factor', 'account/routes/set-up-second-factor.tsx'),
  ]),

  route('vehicles.csv', 'vehicles/routes/export.tsx'),
  route('vehicles/validate/:rego', 'vehicles/routes/validate.tsx'),
  route('profile/update/:id', 'admins/routes/profile-update.tsx'),
  route('portraits/:personId', 'account/routes/portrait.tsx'),
  route('uploads', 'files/routes/upload.tsx'),
  route('*', 'public-search/routes/no-page.tsx'),
] satisfies RouteConfig;
