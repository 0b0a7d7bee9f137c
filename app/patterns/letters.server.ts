// The mail to a technician who is asked about what a pattern found. What was found is told on the page only.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { letter, type Letters } from '#app/platform/mail/letter.ts';
import { ANSWER_DAYS } from './finding.ts';

export const PATTERN_LETTERS: Letters = {
  'pattern-asked': ({ config }, _tx, { facts }) =>
    letter(config.registryName, 'A question about your visits', {
      parts: [
        'Some figures in visits that you recorded look unusual. There may be a simple reason, and you know it best.',
        `An administrator asks what explains them. Please answer within ${ANSWER_DAYS} days; nothing is done before.`,
        'What was found, with its numbers, and where you answer:',
        { link: `${publicOrigin(config)}/my-patterns/${facts['finding'] ?? ''}` },
      ],
    }),
};
