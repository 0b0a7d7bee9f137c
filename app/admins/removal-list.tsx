// Removals of admins that wait for a second one: who was removed by whom, and until when it may be refused.
import { Form, Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { Card } from '#app/ui/card.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import type { ShownRemoval } from './queries.server.ts';

/** `idempotencyKey`: of the forms; without one there is a link to the page that has them. */
export function RemovalList({
  removals,
  idempotencyKey,
}: {
  removals: readonly ShownRemoval[];
  idempotencyKey?: string;
}) {
  return (
    <Card title="Removed, not final yet" id="removals">
      <ul className="divide-y divide-line">
        {removals.map(({ id, who, by, since, until, isOwn }) => (
          <li key={id} className="grid gap-2 px-5 py-3 max-row:px-4">
            <p className="font-semibold wrap-anywhere">{who}</p>
            <p className="text-sm wrap-anywhere text-ink-2">
              {`Removed by ${by} on ${since}. It stands when a second administrator confirms it, or from ${until} on. They cannot sign in meanwhile.`}
            </p>
            {idempotencyKey === undefined ? (
              <IfMay to="change people">
                <Link to="/admins/removals">Confirm or refuse it</Link>
              </IfMay>
            ) : (
              <IfMay to="change people">
                <Form method="post" className="flex flex-wrap gap-3">
                  <input type="hidden" name="form_key" value={idempotencyKey} />
                  <input type="hidden" name="id" value={id} />
                  {isOwn ? null : (
                    <SubmitButton name="decision" value="confirm" look="danger">
                      Confirm the removal<span className="sr-only">{` of ${who}`}</span>
                    </SubmitButton>
                  )}
                  <SubmitButton name="decision" value="refuse" look="secondary">
                    {isOwn ? 'Take it back' : 'Refuse the removal'}
                    <span className="sr-only">{`: ${who}`}</span>
                  </SubmitButton>
                </Form>
              </IfMay>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
