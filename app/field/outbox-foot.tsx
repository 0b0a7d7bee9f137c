// Below the outbox: a visit that comes as a file, and the visits that the registry has.
import { useId, useState } from 'react';
import { Note } from '#app/ui/note.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { asAtWords } from './age.ts';
import { personOf, type Field, type OnThisPhone } from './use-field.ts';
import { importVisit, readVisitFile, type VisitOfFile } from './visit-file.ts';
import { VisitFilePreview } from './visit-file-preview.tsx';

const NO_VISIT = 'This is not the file of a visit. Choose one that ends in .visit.json.';

export function OpenFile({ field, phone }: { field: Field; phone: OnThisPhone }) {
  const id = useId();
  const [said, setSaid] = useState<{ kind: 'success' | 'error'; text: string }>();
  const [opened, setOpened] = useState<VisitOfFile>();
  const open = async (file: File) => {
    const read = await readVisitFile(file);
    setOpened(read);
    setSaid(read === undefined ? { kind: 'error', text: NO_VISIT } : undefined);
  };
  const keep = async (visit: VisitOfFile, wasThere: 'yes' | 'no' | null) => {
    setOpened(undefined);
    try {
      const answer = await importVisit(phone.store, visit, { person: personOf(phone), wasThere });
      setSaid(
        answer.imported
          ? { kind: 'success', text: 'The visit is in your outbox. It is sent in your name.' }
          : { kind: 'error', text: answer.sentence },
      );
    } catch {
      setSaid({ kind: 'error', text: 'This phone has no room left for the visit.' });
    }
    await field.changed();
    void field.refresh();
  };
  return (
    <details className="card group">
      <summary className="flex min-h-14 cursor-pointer items-center px-5 font-semibold max-row:px-4">
        Open a visit that was saved as a file
      </summary>
      <div className="grid gap-3 border-t border-line p-5 max-row:p-4">
        {said === undefined ? null : <Note kind={said.kind}>{said.text}</Note>}
        <label htmlFor={id} className="font-semibold">
          File
        </label>
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          className="file-input w-full"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            if (file !== undefined) void open(file);
          }}
        />
        <p className="text-sm text-ink-2">
          It ends in .visit.json. You see it before it is sent, once, also if the phone that wrote it sends it too.
        </p>
        {opened === undefined ? null : (
          <VisitFilePreview
            visit={opened}
            zone={phone.zone}
            isOwn={opened.capturedBy.id !== '' && opened.capturedBy.id === personOf(phone).id}
            onKeep={(wasThere) => void keep(opened, wasThere)}
            onCancel={() => setOpened(undefined)}
          />
        )}
      </div>
    </details>
  );
}

export function Registered({ phone: { fetched, now } }: { phone: OnThisPhone }) {
  if (fetched === undefined || fetched.visits.length === 0) return null;
  return (
    <details className="card group">
      <summary className="flex min-h-14 cursor-pointer items-center px-5 font-semibold max-row:px-4">
        {`My visits in the registry, ${asAtWords(new Date(fetched.at), now, fetched.zone)}`}
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {fetched.visits.map(({ id, rego, day, word, words }) => (
          <li key={id} className="grid gap-1 px-5 py-3 max-row:px-4">
            <p className="flex flex-wrap items-center justify-between gap-3">
              <RegoChip rego={rego} />
              <span className="text-ink-2">{day}</span>
            </p>
            <p className="font-semibold">{word}</p>
            <p className="text-ink-2">{words}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}
