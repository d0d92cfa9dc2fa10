import { useLanguage } from '../../texts/language.tsx';
import { instantText } from './instant-text.ts';

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

/** An instant as date and time, in a time zone, which is named where it is not the reader's; by the reader's clock without one. */
export function Instant({ at, timeZone }: { at: string; timeZone?: string }) {
  const { tag } = useLanguage();
  return <time dateTime={at}>{instantText(at, tag, timeZone)}</time>;
}

/** The day of an instant, by the reader's clock. */
export function DayAt({ at }: { at: string }) {
  const { tag } = useLanguage();
  return <time dateTime={at}>{new Date(at).toLocaleDateString(tag, { dateStyle: 'medium' })}</time>;
}

/** A calendar date, such as a day of birth: the same day wherever it is read. */
export function Day({ date, hasWeekday = false }: { date: string; hasWeekday?: boolean }) {
  const { tag } = useLanguage();
  const parts = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  const text = new Date(date).toLocaleDateString(tag, hasWeekday ? { ...parts, weekday: 'short' } : parts);
  return <time dateTime={date}>{text}</time>;
}
