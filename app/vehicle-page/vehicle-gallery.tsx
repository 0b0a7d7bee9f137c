// The images of a vehicle. Without scripts each thumbnail leads to the same page with the image open; with them that
// page opens as a modal dialog over this one.
import { RowIcon } from '#app/ui/row-icon.tsx';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { ConnectionBar } from '#app/ui/no-connection.tsx';

export type GalleryImage =
  | { src: string; thumbnail: string; width: number | null; height: number | null }
  | { externalUrl: string };

/** The thumbnails, shown or hidden. `page` is the vehicle page's address. */
export function VehicleGallery({
  images,
  rego,
  page,
}: {
  images: readonly GalleryImage[];
  rego: string;
  page: string;
}) {
  return (
    <details className="card no-print group" open>
      <summary className="flex min-h-14 list-none items-center justify-between gap-3 px-5 py-2 [&::-webkit-details-marker]:hidden">
        <h2 className="text-lg">{`Images (${images.length})`}</h2>
        <span className="button-look button-secondary">
          <span className="hidden group-open:inline">Hide images</span>
          <span className="group-open:hidden">Show images</span>
        </span>
      </summary>
      <ul className="grid grid-cols-2 gap-3 px-5 pb-5 sm:grid-cols-4">
        {images.map((image, index) => (
          <li key={index}>
            {'externalUrl' in image ? (
              <a
                href={image.externalUrl}
                rel="noreferrer noopener"
                className="grid aspect-4/3 place-items-center rounded-md border border-dashed border-line-strong p-2 text-center text-sm"
              >
                <span>
                  <RowIcon name="external-link" className="row-icon size-5 mx-auto" />
                  {`Image ${index + 1} is in the former storage`}
                </span>
              </a>
            ) : (
              <Link
                to={`${page}?image=${index + 1}`}
                id={`image-${index + 1}`}
                preventScrollReset
                className="block overflow-hidden rounded-md border border-line"
              >
                <img
                  src={image.thumbnail}
                  alt={`${rego}, ${index + 1} of ${images.length}`}
                  width={480}
                  height={360}
                  loading="lazy"
                  decoding="async"
                  className="aspect-4/3 h-auto w-full object-cover"
                />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** One image, large. Previous and next stop at the ends; arrow keys and Escape work. `number` counts from 1. */
export function ImageDialog({
  images,
  number,
  rego,
  page,
}: {
  images: readonly GalleryImage[];
  number: number;
  rego: string;
  page: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const image = images[number - 1];
  const addressOf = (target: number) => `${page}?image=${target}`;
  const close = () => void navigate(page, { preventScrollReset: true });
  const step = (target: number) => {
    if (target >= 1 && target <= images.length)
      void navigate(addressOf(target), { replace: true, preventScrollReset: true });
  };

  // After the dialog closes, the focus returns to the thumbnail of the image it showed.
  const shown = useRef(number);
  useEffect(() => () => document.getElementById(`image-${shown.current}`)?.focus(), []);

  // The server renders the dialog open but not modal. The browser makes it modal, so the page behind it is inert,
  // before it draws or hears a key.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null || element.matches(':modal')) return;
    element.close();
    element.showModal();
  }, []);
  // At either end the focused button disappears. Without this no element would receive the arrow keys.
  useEffect(() => {
    shown.current = number;
    if (dialog.current?.contains(document.activeElement) === false) dialog.current.focus();
  }, [number]);

  if (image === undefined) return null;
  return (
    // The dialog receives its keys itself. A click on the dialog element is a click beside its content.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      open
      tabIndex={-1}
      aria-labelledby="image-title"
      className="fixed inset-0 m-auto w-[min(760px,calc(100%-2rem))] overflow-hidden rounded-lg border border-line bg-surface p-0 text-ink shadow-lg"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') step(number - 1);
        if (event.key === 'ArrowRight') step(number + 1);
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <header className="flex items-center justify-between gap-3 border-b border-line px-5 py-2">
        <h2 id="image-title" className="text-lg">{`Image ${number} of ${images.length}`}</h2>
        <Link
          to={page}
          preventScrollReset
          aria-label="Close"
          className="quiet-link -mr-3 grid size-11 place-items-center"
          onClick={(event) => {
            event.preventDefault();
            close();
          }}
        >
          <RowIcon name="x" className="row-icon size-5" />
        </Link>
      </header>
      {'externalUrl' in image ? (
        <p className="px-5 py-16 text-center">
          <a href={image.externalUrl} rel="noreferrer noopener">
            This image is in the former storage
          </a>
        </p>
      ) : (
        <img
          src={image.src}
          alt={`${rego}, ${number} of ${images.length}`}
          width={image.width ?? 1200}
          height={image.height ?? 900}
          className="max-h-[65dvh] w-full bg-sunken object-contain"
        />
      )}
      <footer className="flex items-center justify-between gap-3 border-t border-line bg-sunken px-5 py-3">
        <span className="max-sm:hidden">{rego}</span>
        <div className="flex gap-3 max-sm:w-full max-sm:justify-between">
          <Step href={number > 1 ? addressOf(number - 1) : undefined} before label="Previous" />
          <Step href={number < images.length ? addressOf(number + 1) : undefined} before={false} label="Next" />
        </div>
      </footer>
      <ConnectionBar />
    </dialog>
  );
}

function Step({ href, before, label }: { href: string | undefined; before: boolean; label: string }) {
  const inner = (
    <>
      {before ? <RowIcon name="chevron-left" className="row-icon size-5" /> : null}
      {label}
      {before ? null : <RowIcon name="chevron-right" className="row-icon size-5" />}
    </>
  );
  if (href === undefined)
    return (
      <span role="link" aria-disabled="true" className="button-look button-secondary">
        {inner}
      </span>
    );
  return (
    <Link to={href} replace preventScrollReset className="button-look button-secondary">
      {inner}
    </Link>
  );
}
