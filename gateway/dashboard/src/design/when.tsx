import { useLanguage } from '../texts/language.tsx';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago, or in how long, in the largest unit that fits. */
function distanceOf(at: string, tag: string, nowMs: number): string {
  const seconds = (Date.parse(at) - nowMs) / 1000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(Math.trunc(seconds / length), unit);
}

/** An instant in the words of the page's language. */
export function Ago({ at }: { at: string }) {
  const { tag } = useLanguage();
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(tag, { dateStyle: 'full', timeStyle: 'long' })}>
      {distanceOf(at, tag, Date.now())}
    </time>
  );
}

/** An instant as date and time, in a time zone; the browser's without one. */
export function Instant({ at, timeZone }: { at: string; timeZone?: string }) {
  const { tag } = useLanguage();
  const zone = timeZone ? { timeZone } : {};
  return (
    <time dateTime={at}>{new Date(at).toLocaleString(tag, { dateStyle: 'medium', timeStyle: 'short', ...zone })}</time>
  );
}

/** A calendar date, such as a day of birth: the same day wherever it is read. */
export function Day({ date }: { date: string }) {
  const { tag } = useLanguage();
  return (
    <time dateTime={date}>{new Date(date).toLocaleDateString(tag, { dateStyle: 'medium', timeZone: 'UTC' })}</time>
  );
}
