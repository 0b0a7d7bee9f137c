// A file field. Files upload as soon as they are chosen, each in a row with its percentage, or its error and "Try
// again". The form then sends their ids. Without scripts, the same input sends the file with the form.
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import Upload from 'lucide-react/icons/upload';
import X from 'lucide-react/icons/x';
import { useContext, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { formatBytes } from '#app/platform/http/format-bytes.ts';
import { FieldNote } from './field.tsx';
import { Answered } from './merged-edits.tsx';
import { judgePhoto, type PictureKind } from './judge-photo.ts';
import { sendFile, type Sending } from './send-file.ts';

export const GOES_WITHOUT = 'The visit goes without it.';

type Chosen = {
  key: number;
  file: { name: string; size?: number };
  source?: File;
  percent: number;
  id?: string;
  failure?: { reason: string; isRefused: boolean } | undefined;
};

export function UploadField({
  name,
  label,
  hint,
  accept,
  maxBytes,
  kind,
  multiple = false,
  onBusy,
  onChosen,
  restored,
  ...given
}: {
  /** The name of the hidden field that holds the id; the file input itself is called `<name>_file`. */
  name: string;
  label: string;
  hint: string;
  accept: string;
  maxBytes: number;
  kind: PictureKind | 'certificate';
  multiple?: boolean;
  /** Files that were uploaded with an earlier, refused form; by default, as its error, the form's answer's. */
  waiting?: readonly { id: string; name: string }[] | undefined;
  error?: string | undefined;
  /**
   * Called with the number of running uploads. It must be the same function in every render, such as a state setter.
   */
  onBusy?: (count: number) => void;
  /** As `onBusy`, with the files that were chosen on this page, uploaded or not; without those that were refused. */
  onChosen?: ((files: readonly File[]) => void) | undefined;
  /** Files that were chosen before this page was loaded again: they are uploaded again. */
  restored?: readonly File[] | undefined;
}) {
  const id = useId();
  const { answer } = useContext(Answered);
  const { waiting = answer?.temporaryUploads?.[name] ?? [], error = answer?.fileErrors?.[name] } = given;
  const [chosen, setChosen] = useState<Chosen[]>(() =>
    waiting.map((file, index) => ({ key: -1 - index, file, percent: 100, id: file.id })),
  );
  const sendings = useRef(new Map<number, Sending>());
  const nextKey = useRef(0);
  // Those that are being judged, and still wanted.
  const judging = useRef(new Set<number>());
  const busy = chosen.filter((each) => each.id === undefined && each.failure === undefined).length;
  // Layout effects: a form that is sent as soon as a file's name is seen has the file.
  useLayoutEffect(() => onBusy?.(busy), [busy, onBusy]);
  useLayoutEffect(
    () =>
      onChosen?.(
        chosen.flatMap(({ source, failure }) => (source === undefined || failure?.isRefused === true ? [] : [source])),
      ),
    [chosen, onChosen],
  );
  useEffect(() => {
    const running = sendings.current;
    const unsent = judging.current;
    return () => {
      unsent.clear();
      for (const sending of running.values()) sending.abort();
    };
  }, []);

  const change = (key: number, what: Partial<Chosen>) =>
    setChosen((all) => all.map((each) => (each.key === key ? { ...each, ...what } : each)));

  const send = async (key: number, file: File) => {
    change(key, { percent: 0, failure: undefined });
    judging.current.add(key);
    const judged = kind === 'certificate' ? { photo: file } : await judgePhoto(file, kind);
    if (!judging.current.delete(key)) return;
    const refuse = (reason: string) =>
      change(key, { failure: { reason: kind === 'photo' ? `${reason} ${GOES_WITHOUT}` : reason, isRefused: true } });
    if ('refusal' in judged) return refuse(judged.refusal);
    const { photo: sent } = judged;
    if (sent.size > maxBytes) return refuse(`The file is larger than ${maxBytes / 1024 / 1024} MB.`);
    // In place of what was chosen, which a phone may take back.
    change(key, { source: sent });
    const field = kind === 'certificate' ? 'certificate_file' : 'image_file';
    const sending = sendFile({ field, file: sent, onPercent: (percent) => change(key, { percent }) });
    sendings.current.set(key, sending);
    const answer = await sending.done;
    sendings.current.delete(key);
    if (answer.sent) return change(key, { id: answer.id, percent: 100 });
    return answer.isRefused ? refuse(answer.reason) : change(key, { failure: answer });
  };

  const choose = (files: readonly File[]) => {
    const added = files.map((file) => ({ key: nextKey.current++, file, source: file, percent: 0 }));
    if (!multiple) {
      judging.current.clear();
      for (const sending of sendings.current.values()) sending.abort();
    }
    setChosen((all) => (multiple ? [...all, ...added] : added));
    for (const { key, source } of added) void send(key, source);
  };

  const isRestored = useRef(false);
  const restore = useEffectEvent((files: readonly File[]) => {
    if (!isRestored.current) choose(files);
    isRestored.current = true;
  });
  useEffect(() => {
    if (restored !== undefined) restore(restored);
  }, [restored]);

  return (
    <div id={error === undefined ? undefined : `field-${name}`} className="grid gap-1.5" data-field={name}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="rounded-md border border-dashed border-line-strong bg-sunken p-4">
        <input
          id={id}
          type="file"
          name={`${name}_file`}
          accept={accept}
          multiple={multiple}
          aria-describedby={`${id}-hint`}
          aria-invalid={error === undefined ? undefined : true}
          className="file-input w-full"
          onChange={(event) => {
            const { files } = event.currentTarget;
            if (files === null || files.length === 0) return;
            choose([...files]);
            // The file is uploaded already: the form sends its id instead.
            event.currentTarget.value = '';
          }}
        />
        <p id={`${id}-hint`} className="pt-2 text-sm text-ink-2">
          {hint}
        </p>
      </div>
      <FieldNote error={error} />
      <ul aria-live="polite">
        {chosen.map(({ key, file, source, percent, id: uploadId, failure }) => (
          <li key={key} className="grid gap-1 py-2 text-sm">
            <div className="flex items-center gap-2">
              <StateIcon id={uploadId} failure={failure} />
              <span className="min-w-0 truncate font-semibold">{file.name}</span>
              <span className="shrink-0 text-ink-2">{file.size === undefined ? '' : formatBytes(file.size)}</span>
              <span className="ml-auto shrink-0 font-semibold">
                {failure === undefined && (uploadId === undefined ? `${percent}%` : 'Done')}
              </span>
              <button
                type="button"
                className="grid size-11 shrink-0 cursor-pointer place-items-center"
                aria-label={`Remove ${file.name}`}
                onClick={() => {
                  judging.current.delete(key);
                  sendings.current.get(key)?.abort();
                  setChosen((all) => all.filter((each) => each.key !== key));
                }}
              >
                <X size={18} aria-hidden="true" />
              </button>
            </div>
            {failure !== undefined ? null : (
              <progress className="upload-bar" value={percent} max={100} aria-label={`Upload of ${file.name}`} />
            )}
            {failure === undefined || source === undefined ? null : (
              <p role="alert" className="flex flex-wrap items-center gap-x-3 font-semibold text-overdue-text">
                {failure.reason}
                {failure.isRefused ? null : (
                  <button
                    type="button"
                    className="min-h-11 cursor-pointer underline"
                    onClick={() => void send(key, source)}
                  >
                    Try again
                  </button>
                )}
              </p>
            )}
            {uploadId === undefined ? null : <input type="hidden" name={name} value={uploadId} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function StateIcon({ id, failure }: { id: string | undefined; failure: Chosen['failure'] }) {
  if (id !== undefined) return <CircleCheck size={18} aria-hidden="true" />;
  if (failure === undefined) return <Upload size={18} aria-hidden="true" />;
  return <CircleAlert size={18} aria-hidden="true" className="text-overdue-text" />;
}
