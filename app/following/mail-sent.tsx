import { RowIcon } from '#app/ui/row-icon.tsx';
import { TextLink } from '#app/ui/text-link.tsx';

/** What follows a request to follow; `back` leads on. */
export function MailSent({ back, label }: { back: string; label: string }) {
  return (
    <div className="grid grid-cols-1 gap-5" role="status">
      <RowIcon name="mail-check" className="row-icon size-11" />
      <p>We have sent an email to that address. Open the link in it to confirm. Until then we send nothing else.</p>
      <p className="text-sm text-ink-2">It should arrive within a few minutes. Check your junk folder too.</p>
      <TextLink to={back}>{label}</TextLink>
    </div>
  );
}
