// The photos of a visit that is kept on the phone. They are scaled when they are chosen, and sent with the visit.
import Camera from 'lucide-react/icons/camera';
import X from 'lucide-react/icons/x';
import { useId, useState } from 'react';
import { PHOTO_HINT, PHOTO_TYPES } from '#app/recording/set-form.tsx';
import { PHOTOS_MAX } from '#app/visits/visit.ts';
import { FieldNote } from '#app/ui/field.tsx';
import { formatBytes } from '#app/platform/http/format-bytes.ts';
import type { NewPhoto } from './outbox.ts';
import { scalePhoto } from '#app/ui/scale-photo.ts';

export function PhonePhotos({
  photos,
  error,
  onChange,
}: {
  photos: readonly NewPhoto[];
  error: string | undefined;
  onChange: (photos: readonly NewPhoto[]) => void;
}) {
  const id = useId();
  const [isScaling, setIsScaling] = useState(false);
  const [tooMany, setTooMany] = useState<string>();
  const choose = async (files: readonly File[]) => {
    setTooMany(photos.length + files.length > PHOTOS_MAX ? `A visit has at most ${PHOTOS_MAX} photos.` : undefined);
    setIsScaling(true);
    const added: NewPhoto[] = [];
    for (const file of files.slice(0, PHOTOS_MAX - photos.length))
      added.push({ id: crypto.randomUUID(), name: file.name, blob: await scalePhoto(file) });
    setIsScaling(false);
    onChange([...photos, ...added]);
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
      <FieldNote error={tooMany ?? error} />
      <ul aria-live="polite">
        {isScaling ? <li className="py-2 text-sm">Keeping the photo...</li> : null}
        {photos.map((photo) => (
          <li key={photo.id} className="flex items-center gap-2 py-1 text-sm">
            <Camera size={18} aria-hidden="true" className="shrink-0" />
            <span className="min-w-0 truncate font-semibold">{photo.name}</span>
            <span className="shrink-0 text-ink-2">{formatBytes(photo.blob.size)}</span>
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
