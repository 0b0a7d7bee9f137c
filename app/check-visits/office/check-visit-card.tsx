import { href, Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import type { ShownCheckVisit } from './shown-check-visit.server.ts';

/** Whether somebody else is to weigh the truck of this visit again, or did. */
export function CheckVisitCard({ id, checkVisit }: { id: string; checkVisit: ShownCheckVisit }) {
  const { words, note, closedBy, other, may, isOwn } = checkVisit;
  return (
    <Card title="Check visit" id="check-visit">
      <div className="grid justify-items-start gap-2 px-5 py-4 text-sm">
        <p>{words === '' ? 'Nobody was asked to weigh this truck again after this visit.' : words}</p>
        {note === '' ? null : <p className="wrap-anywhere text-ink-2">{note}</p>}
        {closedBy === null ? null : (
          <Link to={href('/visits/:id', { id: closedBy })} className="inline-flex min-h-11 items-center">
            The visit that checked it
          </Link>
        )}
        {other === null ? null : (
          <p>
            Another visit of this truck is to be checked.{' '}
            <Link to={href('/visits/:id', { id: other })} className="inline-flex min-h-11 items-center">
              That visit
            </Link>
          </p>
        )}
        {may === null ? null : (
          <IfMay to="ask for check visits">
            <ButtonLink to={href('/visits/:id/check', { id })}>
              {may === 'ask' ? 'Ask for a check visit' : 'Withdraw it'}
            </ButtonLink>
          </IfMay>
        )}
        {isOwn ? <p className="text-ink-2">You recorded or corrected this visit: another admin asks for one.</p> : null}
      </div>
    </Card>
  );
}
