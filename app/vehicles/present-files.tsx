/** A file that the vehicle has already. */
export type PresentFile = {
  id: string;
  role: 'certificate' | 'image';
  name: string;
  href: string;
  thumbnail: string | undefined;
};

/** Each file with a box to remove it, each image with its place. Plain fields, so the form works without scripts. */
export function PresentFiles({ files }: { files: readonly PresentFile[] }) {
  const certificate = files.find(({ role }) => role === 'certificate');
  const images = files.filter(({ role }) => role === 'image');
  if (files.length === 0) return null;
  return (
    <ul className="grid gap-3">
      {certificate === undefined ? null : (
        <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <a href={certificate.href} className="inline-flex min-h-11 min-w-0 items-center break-all">
            {`Certificate: ${certificate.name}`}
          </a>
          <Remove name="remove_certificate" value="yes" what="the certificate" />
        </li>
      )}
      {images.map(({ id, name, href, thumbnail }, index) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <a href={href} className="min-w-0 shrink-0">
            {thumbnail === undefined ? (
              name
            ) : (
              <img src={thumbnail} alt={name} width={96} height={72} className="h-18 w-24 rounded-sm object-cover" />
            )}
          </a>
          <label className="flex items-center gap-2">
            Place
            <input
              type="number"
              name={`place_${id}`}
              min={1}
              max={images.length}
              defaultValue={index + 1}
              className="field-box w-18"
            />
          </label>
          <span className="ml-auto">
            <Remove name="remove_image" value={id} what={`image ${index + 1}`} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Remove({ name, value, what }: { name: string; value: string; what: string }) {
  return (
    <label className="inline-flex min-h-11 cursor-pointer items-center gap-2">
      <input type="checkbox" name={name} value={value} className="size-5 accent-accent" />
      {`Remove ${what}`}
    </label>
  );
}
