import { Link } from 'wouter';
import { useMe } from '../api/me.ts';
import { useLanguage } from '../texts/language.tsx';
import { Empty } from './page.tsx';

/** Says why there is no instructor to choose from, and leads to the page on which one is found. */
export function NoInstructors() {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  const toInstructors = (
    <Link href="/instructors" className="button button-primary">
      {t(kind === 'family' ? 'bookings.findInstructor' : 'calendar.next.instructors')}
    </Link>
  );
  return (
    <Empty title={t(kind === 'family' ? 'bookings.noSchool' : 'calendar.empty.instructors')} action={toInstructors}>
      {t(kind === 'family' ? 'bookings.needsSchool' : 'bookings.needsInstructor')}
    </Empty>
  );
}
