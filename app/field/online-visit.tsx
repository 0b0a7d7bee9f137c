// The form of a visit with reception. Its photos stay on the phone until it is sent. When the line is gone, the visit
// can be kept on the phone too, and is sent from there.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { SetAnswer } from '#app/recording/set-answer.ts';
import { SetForm } from '#app/recording/set-form.tsx';
import { loadPart } from '#app/platform/http/page-data.ts';
import { draftStorage } from '#app/ui/drafts.ts';
import { useSite } from '#app/ui/site.ts';
import { SavedVisit } from './saved-visit.tsx';
import type { OpenedVisit } from './typed-visit.ts';

type Part = typeof import('./keep-typed-visit.ts') & typeof import('./draft-photos.ts');

export function OnlineVisit({ loaded, actionAnswer }: { loaded: OpenedVisit; actionAnswer: SetAnswer | undefined }) {
  const { signedIn } = useSite();
  const { draftKey } = loaded;
  // Nothing is offered before it is there.
  const [part, setPart] = useState<Part & { restored: readonly File[] }>();
  const [photos, setPhotos] = useState<readonly File[]>([]);
  // Called at each step of an upload, too.
  const onChosen = useCallback(
    (now: readonly File[]) =>
      setPhotos((before) =>
        now.length === before.length && now.every((file, at) => file === before[at]) ? before : now,
      ),
    [],
  );
  const hasRestored = useRef(false);
  const [isKept, setIsKept] = useState(false);
  // Why it was not kept, until the next answer of the registry.
  const [notKept, setNotKept] = useState<{ answer: SetAnswer; after: SetAnswer | undefined }>();
  useEffect(() => {
    const load = async () => {
      const keeping = await loadPart(() => import('./keep-typed-visit.ts'));
      const drafts = await loadPart(() => import('./draft-photos.ts'));
      setPart({ ...keeping, ...drafts, restored: await drafts.readDraftPhotos(draftKey).catch(() => []) });
    };
    void load();
  }, [draftKey]);
  const isDone = isKept || actionAnswer?.saved !== undefined;
  useEffect(() => {
    if (part === undefined) return;
    // What was restored is among the photos a moment later: before, none would be kept.
    hasRestored.current ||= isDone || photos.length > 0 || part.restored.length === 0;
    if (!hasRestored.current) return;
    part.keepDraftPhotos(draftKey, isDone ? [] : photos).catch(() => {});
  }, [part, draftKey, photos, isDone]);
  if (isKept)
    return (
      <main id="main" className="max-w-200">
        <SavedVisit>
          <a href="/field#start" className="button-look button-primary">
            Next truck
          </a>
          <a href="/field#outbox" className="button-look button-secondary">
            See the outbox
          </a>
        </SavedVisit>
      </main>
    );
  const onKeep = async (form: FormData) => {
    if (part === undefined || signedIn === null) return;
    const { personId: id, name } = signedIn;
    const answer = await part.keepTypedVisit(loaded, { id, name }, { form, files: photos });
    const lost = actionAnswer?.lost;
    if (answer !== undefined)
      return setNotKept({ answer: lost === undefined ? answer : { ...answer, lost }, after: actionAnswer });
    draftStorage()?.removeItem(draftKey);
    return setIsKept(true);
  };
  return (
    <SetForm
      loaded={loaded}
      actionAnswer={notKept !== undefined && notKept.after === actionAnswer ? notKept.answer : actionAnswer}
      online={{
        onKeep: part === undefined ? undefined : (form) => void onKeep(form),
        onChosen,
        restored: part?.restored,
      }}
    />
  );
}
