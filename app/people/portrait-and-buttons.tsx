import { useState } from 'react';
import { GoBack } from '#app/ui/go-back.tsx';
import { NotSavedBar } from '#app/ui/form-notes.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { UploadField } from '#app/ui/upload-field.tsx';
import { Avatar } from './avatar.tsx';

const IMAGE_MAX_BYTES = 15 * 1024 * 1024;

/** The end of a profile's form: the current picture, the field to upload a new one, and the buttons. */
export function PortraitAndButtons({
  name,
  src,
  caption,
  button,
  back,
}: {
  /** The name whose initials are shown without a picture; empty for a new person. */
  name: string;
  src: string | undefined;
  caption: string;
  button: string;
  back: string;
}) {
  const [uploading, setUploading] = useState(0);
  return (
    <>
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
          onBusy={setUploading}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyText="Uploading data..." waiting={uploading > 0}>
          {button}
        </SubmitButton>
        <GoBack fallback={back} />
      </div>
      <NotSavedBar />
    </>
  );
}
