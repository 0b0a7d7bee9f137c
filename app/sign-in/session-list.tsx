import { Form } from 'react-router';

export type ShownSession = { id: string; device: string; place: string; seen: string; began: string; isThis: boolean };

/** A person's open sessions, with buttons to end all but this one. */
export function SessionList({ sessions }: { sessions: readonly ShownSession[] }) {
  return (
    <>
      <ul className="px-5 py-2">
        {sessions.map(({ id, device, place, seen, began, isThis }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3 last:border-b-0"
          >
            <div className="min-w-0">
              <p className="font-semibold">{isThis ? `${device} (this one)` : device}</p>
              <p className="text-sm wrap-anywhere text-ink-2">{`Network address ${place}. Last seen ${seen}. Signed in ${began}.`}</p>
            </div>
            {isThis ? null : (
              <Form method="post">
                <input type="hidden" name="intent" value="end-session" />
                <button
                  type="submit"
                  name="session"
                  value={id}
                  className="button-look button-secondary"
                  aria-label={`End the session of ${device}, last seen ${seen}`}
                >
                  End
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {sessions.length < 2 ? null : (
        <Form method="post" className="border-t border-line px-5 py-4">
          <button type="submit" name="intent" value="end-others" className="button-look button-secondary">
            End all other sessions
          </button>
        </Form>
      )}
    </>
  );
}
