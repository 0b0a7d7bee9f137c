import { href, Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { Note } from '#app/ui/note.tsx';
import type { ShownWithdrawal } from './reference-page.server.ts';

/** The withdrawals in force, for anybody; in the office all of them, with their pages. */
export function WithdrawalNotes({ withdrawals }: { withdrawals: readonly ShownWithdrawal[] }) {
  if (withdrawals.length === 0) return null;
  return (
    <div className="grid gap-3 pb-5">
      {withdrawals.map(({ id, words }) => (
        <Note key={id} kind="info">
          {words}
          <IfMay to="read weighbridge withdrawals">
            {' '}
            <Link to={href('/references/recalls/:id', { id })} className="link-in-text">
              Open
              <span className="sr-only"> this withdrawal</span>
            </Link>
          </IfMay>
        </Note>
      ))}
    </div>
  );
}
