/** The first words of the failures of forms on public pages. In their own file, so that those pages load no others. */
export const PUBLIC_FAILURES = {
  signIn: 'Error signing in:',
  reset: 'Error while reseting the password!',
  logout: 'Logout error:',
  techRegister: 'Error performing tech-register:',
  follow: 'Error following:',
  report: 'Error sending:',
  check: 'Error checking the list:',
  unfollow: 'Error stopping the emails:',
  setUp: 'Error setting up:',
} as const;
