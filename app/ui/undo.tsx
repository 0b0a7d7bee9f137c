import { useEffect, useState } from 'react';
import { Form } from 'react-router';
import type { Message } from './message.ts';

export const UNDO_SECONDS = 10;

/**
 * Takes back an act that has an inverse. Without scripts the button stays: the server refuses what comes much later.
 * Readers hear no countdown.
 */
export function Undo({ action, id }: NonNullable<Message['undo']>) {
  const [left, setLeft] = useState(UNDO_SECONDS);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (left <= 0) return null;
  return (
    <Form method="post" action={action}>
      <input type="hidden" name="id" value={id} />
      <button type="submit" name="undo" value="yes" className="button-look button-secondary">
        Undo
        {left === UNDO_SECONDS ? null : <span aria-hidden="true">{`, ${left} s`}</span>}
      </button>
    </Form>
  );
}
