export type ShownActivity = { index: number; words: string; details: string; when: string };

export function ActivityList({ activities, empty }: { activities: readonly ShownActivity[]; empty: string }) {
  if (activities.length === 0) return <p className="px-5 py-4 text-ink-2">{empty}</p>;
  return (
    <ol className="px-5 py-2">
      {activities.map(({ index, words, details, when }) => (
        <li
          key={index}
          className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-b border-line py-2.5 last:border-b-0"
        >
          <span className="font-semibold">{words}</span>
          <span className="min-w-0 wrap-anywhere">{details}</span>
          <span className="ml-auto text-sm text-ink-2">{when}</span>
        </li>
      ))}
    </ol>
  );
}
