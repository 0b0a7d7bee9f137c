import type { ReactNode } from 'react';
import { describedBy, FieldFrame } from './field.tsx';
import { useAnswered } from './merged-edits.tsx';

/** The choice of a table, sent as `file`. Its error is that of the form's answer. */
export function TableFileField({ id, label, hint }: { id: string; label: string; hint?: ReactNode }) {
  const { error } = useAnswered('file');
  return (
    <FieldFrame id={id} name="file" label={label} error={error} hint={hint}>
      <input
        type="file"
        id={id}
        name="file"
        accept=".csv,.txt,.tsv,.xlsx,.xlsm,.xls,.ods,text/csv,text/plain"
        {...describedBy(id, hint, { error })}
        className="file-input w-full"
      />
    </FieldFrame>
  );
}
