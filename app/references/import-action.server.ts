// The action of the form that takes weighbridges from CSV.
import { href } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { importReferences, type ImportCounts } from './import-references.server.ts';
import { readReferenceCsv, type LineProblem } from './reference-csv.server.ts';

type More = { problems: LineProblem[] } | { counts: ImportCounts };

const csvSchema = z.object({
  csv: z
    .string()
    .default('')
    .refine((text) => text.trim() !== '', 'Paste the lines of a CSV file, or choose one.'),
});

export function importAction(submission: Submission) {
  return submitForm<typeof csvSchema.shape, More>(submission, {
    failure: FAILURES.importReferences,
    schema: csvSchema,
    async write({ input, key }) {
      const { db, config, now } = submission.context.get(servicesContext);
      const read = readReferenceCsv(input.csv, todayIn(config.timeZone, now()));
      const answer = read.ok
        ? await importReferences(db, requireSignedIn(submission.context), read.references, key)
        : ({ imported: false, problems: read.problems } as const);
      if (!answer.imported)
        return refused(400, {
          code: 'lines-refused',
          sentence: 'Nothing was imported. Mend these lines, and send all of them again.',
          errors: { csv: 'Some lines cannot be taken. They are listed above.' },
          more: { problems: answer.problems },
        });
      const { added, updated, periods } = answer.counts;
      const flash = added + updated + periods === 0 ? 'references-unchanged' : 'references-imported';
      return { shown: true, more: { counts: answer.counts }, unscripted: { flash, to: href('/references') } };
    },
  });
}
