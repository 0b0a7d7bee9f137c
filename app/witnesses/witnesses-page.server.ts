// What /log/witnesses shows: who cosigns the log, since when, and how current that is.
import { formatDay, formatInstantInZone, todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { LOG_PREFIX } from '#app/transparency-log/log-address.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { readWitnessed } from '#app/transparency-log/read-witnessed.server.ts';
import { COSIGNATURE, formatVerifierKey } from '#app/tlog/signed-note.ts';
import type { PolicyWitness, WitnessPolicy } from '#app/tlog/witness-policy.ts';
import { ageWords, isOld } from '#app/tlog/witnessed.ts';
import { readDiary, type DiaryEntry } from './witness-diary.server.ts';

export async function witnessesPage({ config, now }: Pick<Services, 'config' | 'now'>, origin: string) {
  const at = now();
  const log = await readWitnessed(config, at);
  const own = config.publicUrl?.origin ?? origin;
  // For anybody who wants to witness it.
  const page = {
    address: `${own}${LOG_PREFIX}`,
    logKey: formatVerifierKey((await logKey(config)).verifier),
  };
  // The registry asks no witnesses.
  if (log === undefined) return { ...page, asked: null };
  const { policy, newest } = log;
  const diary = await readDiary(openLogFolder(config));
  const witnesses = policy.witnesses.map((witness) => ({
    name: witness.name,
    key: formatVerifierKey(witness.key, COSIGNATURE),
    isOwn: isOwn(witness, own),
    ...timesOf(diary.get(witness.name), { now: at, zone: config.timeZone }),
  }));
  const since = newest?.witnessed.at ?? undefined;
  return {
    ...page,
    asked: {
      rule: ruleWords(policy),
      size: newest?.size ?? null,
      age: since === undefined ? null : ageWords(since, at),
      // No quorum, or one of more than a day ago.
      isOld: newest === undefined || newest.witnessed.at === null || isOld(newest.witnessed, at),
      own: witnesses.filter((one) => one.isOwn).length,
      witnesses,
    },
  };
}

const DAY_MS = 86_400_000;

function timesOf(entry: DiaryEntry | undefined, { now, zone }: { now: Date; zone: string }) {
  if (entry === undefined || entry.last === '') return { since: '', last: '', late: 'Has not signed yet' };
  const last = new Date(entry.last);
  return {
    since: formatDay(todayIn(zone, new Date(entry.since))),
    last: `${formatInstantInZone(last, zone)}, ${entry.size.toLocaleString('en-AU')} entries`,
    late: now.getTime() - last.getTime() > DAY_MS ? `${ageWords(last, now)} behind` : null,
  };
}

// Run on this machine, or at the registry's own host.
function isOwn({ url = '' }: PolicyWitness, own: string): boolean {
  const { hostname } = new URL(url);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname === new URL(own).hostname;
}

function ruleWords({ quorum, witnesses }: WitnessPolicy): string {
  if (quorum === null) return 'None must sign';
  if ('witness' in quorum) return `${quorum.witness} must sign`;
  const { least, members } = quorum;
  const isPlain = members.length === witnesses.length && members.every((member) => 'witness' in member);
  return isPlain ? `${least} of ${members.length} must sign` : 'Groups must sign, as the policy file says';
}
