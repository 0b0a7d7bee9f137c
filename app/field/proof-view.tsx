// A proof file that somebody carries, read on this phone without reception.
import { useEffect, useState } from 'react';
import { TextAreaField, TextField } from '#app/ui/field.tsx';
import { Note } from '#app/ui/note.tsx';
import { utf8 } from '#app/tlog/bytes.ts';
import { webSha256 } from '#app/tlog/sha256.ts';
import { readCarriedProof, type CarriedAnswer } from '#app/vehicles/carried-proof.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import { followLog } from './follow-log.ts';
import type { KnownLog } from './log-policy.ts';
import { BackToTrucks } from './truck-view.tsx';
import type { OnThisPhone } from './use-field.ts';

const FILE_MAX_BYTES = 2_000_000;
const NOTES = {
  proved: { title: 'Proved', kind: 'success' },
  tampered: { title: 'DOES NOT MATCH', kind: 'error' },
  'could-not-tell': { title: 'Could not check', kind: 'info' },
} as const;

type Problem = { rego?: string; file?: string };

export function ProofView({ phone }: { phone: OnThisPhone }) {
  const [log, setLog] = useState<KnownLog>();
  const [problem, setProblem] = useState<Problem>({});
  const [answer, setAnswer] = useState<CarriedAnswer>();
  useEffect(() => followLog(setLog), []);
  const read = async (form: FormData) => {
    setAnswer(undefined);
    const rego = parseRego(String(form.get('rego') ?? ''));
    const file = form.get('file');
    const isFile = file instanceof File && file.size > 0;
    const pasted = String(form.get('text') ?? '').trim();
    const found: Problem = {
      ...(rego.ok ? {} : { rego: rego.message }),
      ...(isFile || pasted !== '' ? {} : { file: 'Choose the proof file, or paste its text.' }),
      ...(isFile && file.size > FILE_MAX_BYTES ? { file: 'It is too large for a proof file.' } : {}),
    };
    setProblem(found);
    if (!rego.ok || found.file !== undefined || log === undefined) return;
    // A form has other ends of lines than the file.
    const bytes = isFile ? new Uint8Array(await file.arrayBuffer()) : utf8(`${pasted.replaceAll('\r\n', '\n')}\n`);
    const dueSoonDays = phone.fetched?.policy.dueSoonDays;
    const reading = { ...log, rego: String(form.get('rego')), now: new Date(), zone: phone.zone };
    setAnswer(
      await readCarriedProof(webSha256, bytes, {
        ...reading,
        ...(dueSoonDays === undefined ? {} : { rules: { dueSoonDays } }),
      }),
    );
  };
  return (
    <>
      <BackToTrucks />
      <h1 className="text-xl">Read a proof</h1>
      <p>
        The proof file of a truck’s page says how the truck stood when the public log was last witnessed. It is checked
        on this phone, without a network.
      </p>
      {log === undefined ? (
        <Note kind="info">
          This phone does not know the registry’s public log yet. It is fetched by itself when there is a network.
        </Note>
      ) : null}
      <form
        noValidate
        className="card grid gap-5 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          void read(new FormData(event.currentTarget));
        }}
      >
        <TextField
          name="rego"
          label="Rego, as it stands on the truck"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={problem.rego}
        />
        <TextField name="file" type="file" label="Proof file" accept=".tlog-proof,text/plain" error={problem.file} />
        <TextAreaField
          name="text"
          label="Or the text of its code"
          hint="Scan the code of the page or the report, and copy what it says."
          spellCheck={false}
        />
        <button type="submit" className="button-look button-primary" aria-disabled={log === undefined || undefined}>
          Read the proof
        </button>
      </form>
      <div aria-live="polite">{answer === undefined ? null : <Answer answer={answer} />}</div>
    </>
  );
}

function Answer({ answer: { result, sentence, isOld, rego, judgement } }: { answer: CarriedAnswer }) {
  const { title, kind } = NOTES[result];
  return (
    <div className="grid gap-3">
      {judgement === undefined || rego === undefined ? null : (
        <div className="card flex flex-wrap items-center justify-between gap-3 p-4">
          <RegoChip rego={rego} />
          <VerdictBadge verdict={judgement.verdict} />
          <p className="basis-full">{judgement.sentence}</p>
        </div>
      )}
      <Note kind={isOld === true ? 'info' : kind}>
        <strong className="block">{title}</strong>
        <span className={isOld === true ? 'rounded-sm bg-due-soft px-1 text-due-text' : ''}>{sentence}</span>
        {result === 'tampered' ? ' Do not rely on this file.' : null}
      </Note>
    </div>
  );
}
