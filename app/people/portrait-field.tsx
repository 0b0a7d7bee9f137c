import { UploadField } from '#app/ui/upload-field.tsx';
import { Avatar } from './avatar.tsx';

const IMAGE_MAX_BYTES = 15 * 1024 * 1024;

/** A person's current picture and the field to upload a new one. */
export function PortraitField({
  name,
  src,
  caption,
  onBusy,
}: {
  /** The name whose initials are shown without a picture; empty for a new person. */
  name: string;
  src: string | undefined;
  caption: string;
  onBusy: (count: number) => void;
}) {
  return (
    <div className="card p-5 max-row:p-4">
      <div className="flex items-center gap-4 pb-4">
        {name === '' && src === undefined ? null : <Avatar name={name} src={src} large />}
        <p className="text-ink-2">{caption}</p>
      </div>
      <UploadField
        name="image"
        label="Image"
        hint="JPEG, PNG or WebP, up to 15 MB. Position and camera data are removed."
        accept="image/jpeg,image/png,image/webp"
        maxBytes={IMAGE_MAX_BYTES}
        kind="image"
        onBusy={onBusy}
      />
    </div>
  );
}
