import { ButtonLink } from '#app/ui/button-link.tsx';
import { AccountPage } from './account-page.tsx';

/** The page of a mailed or printed link that does not work any more; `to` leads on. */
export function DeadLink({ why, to, label }: { why: string; to: string; label: string }) {
  return (
    <AccountPage title="This link no longer works">
      <p className="pb-5">{why}</p>
      <ButtonLink to={to} look="primary">
        {label}
      </ButtonLink>
    </AccountPage>
  );
}
