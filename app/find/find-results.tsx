// What was found, for the palette and the page: a group with an exact match first, the empty ones in one last line.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DidYouMean } from '#app/vehicles/did-you-mean.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge } from '#app/vehicles/verdict-badge.tsx';
import type { FindPage, FoundGroup } from './source.server.ts';

export function FindResults({ found: { text, groups, none, near, ask } }: { found: FindPage }) {
  if (text === '') return null;
  if (groups.length === 0)
    return (
      <div className="px-5 py-10 text-center wrap-anywhere" role="status">
        <p className="text-lg font-bold">{`Nothing found for “${text}”`}</p>
        <DidYouMean near={near} ask={ask} />
      </div>
    );
  return (
    <>
      {groups.map((each) => (
        <Group key={each.group} found={each} text={text} />
      ))}
      <p className="px-4 py-2.5 text-sm text-ink-2 first-letter:uppercase">
        {`${none === '' ? '' : `${none}: none. `}Only what your role may open.`}
      </p>
    </>
  );
}

const ROW = `find-row flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1 wrap-anywhere hover:bg-hover
  focus-visible:bg-hover [&_u]:decoration-2 [&_u]:underline-offset-[0.25em]`;

function Group({ found: { group, rows, count, all }, text }: { found: FoundGroup; text: string }) {
  return (
    <section aria-label={group} className="find-group border-b border-line py-1">
      <h2 className="flex justify-between gap-3 px-4 py-1.5 text-sm text-ink-2">
        {group}
        <span>{count}</span>
      </h2>
      {rows.map(({ href, title, detail, verdict }) => (
        <Link key={href} to={href} className={`quiet-link ${ROW}`}>
          <b>{verdict === undefined ? marked(title, text) : <RegoChip rego={title} />}</b>
          <span className="grow text-ink-2">{marked(detail, text)}</span>
          {verdict === undefined ? null : <ValidCalibrationBadge {...verdict} />}
        </Link>
      ))}
      {all === null ? null : (
        <Link to={all} className={ROW}>
          Show all
        </Link>
      )}
    </section>
  );
}

// The part of `text` by which it was found is underlined, where it stands there as typed.
function marked(text: string, part: string): ReactNode {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  const end = at + part.length;
  return at === -1 ? text : [text.slice(0, at), <u key="part">{text.slice(at, end)}</u>, text.slice(end)];
}
