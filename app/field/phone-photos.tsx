// The photos of a visit that is kept on the phone. They are judged when they are chosen, and sent with the visit.
import Camera from 'lucide-react/icons/camera';
import X from 'lucide-react/icons/x';
import { useEffect, useId, useRef, useState } from 'react';
import { PHOTO_HINT, PHOTO_TYPES } from '#app/recording/set-form.tsx';
import { GOES_WITHOUT } from '#app/ui/upload-field.tsx';
import { PHOTOS_MAX } from '#app/visits/visit.ts';
import { FieldNote } from '#app/ui/field.tsx';
import { formatBytes } from '#app/platform/http/format-bytes.ts';
import type { NewPhoto } from './outbox.ts';
import { judgePhoto } from '#app/ui/judge-photo.ts';

export function PhonePhotos({
  photos,
  error,
  judging,
  onJudging,
  onChange,
}: {
  photos: readonly NewPhoto[];
  error: string | undefined;
  /** How many choices are judged at this moment. */
  judging: number;
  onJudging: (change: 1 | -1) => void;
  onChange: (photos: readonly NewPhoto[]) => void;
}) {
  const id = useId();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const latest = useRef(photos);
  useEffect(() => {
    latest.current = photos;
  }, [photos]);
  const choose = async (files: readonly File[]) => {
    const room = PHOTOS_MAX - latest.current.length;
    setRefused(files.length > room ? [`A visit has at most ${PHOTOS_MAX} photos.`] : []);
    onJudging(1);
    for (const file of files.slice(0, room)) {
      const judged = await judgePhoto(file, 'photo');
      if ('refusal' in judged) {
        setRefused((before) => [...new Set([...before, `${file.name}: ${judged.refusal} ${GOES_WITHOUT}`])]);
        continue;
      }
      const { name, type } = judged.photo;
      const bytes = new Uint8Array(await judged.photo.arrayBuffer());
      // Each at once: the browser may be ended while the camera is open for the next.
      latest.current = [...latest.current, { id: crypto.randomUUID(), name, type, bytes }];
      onChange(latest.current);
    }
    onJudging(-1);
  };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        Photos (optional)
      </label>
      <div className="rounded-md border border-dashed border-line-strong bg-sunken p-4">
        <input
          id={id}
          type="file"
          accept={PHOTO_TYPES}
          multiple
          aria-describedby={`${id}-hint`}
          className="file-input w-full"
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            void choose(files);
          }}
        />
        <p id={`${id}-hint`} className="pt-2 text-sm text-ink-2">
          {PHOTO_HINT}
        </p>
      </div>
      {refused.length === 0 ? <FieldNote error={error} /> : null}
      {refused.map((words) => (
        <FieldNote key={words} role="alert" error={words} />
      ))}
      <ul aria-live="polite">
        {judging > 0 ? <li className="py-2 text-sm">Keeping the photo...</li> : null}
        {photos.map((photo) => (
          <li key={photo.id} className="flex items-center gap-2 py-1 text-sm">
            <Camera size={18} aria-hidden="true" className="shrink-0" />
            <span className="min-w-0 truncate font-semibold">{photo.name}</span>
            <span className="shrink-0 text-ink-2">{photo.refusal ?? formatBytes(photo.bytes.length)}</span>
            <button
              type="button"
              className="ml-auto grid size-11 shrink-0 cursor-pointer place-items-center"
              aria-label={`Remove ${photo.name}`}
              onClick={() => onChange(photos.filter((one) => one.id !== photo.id))}
            >
              <X size={18} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
