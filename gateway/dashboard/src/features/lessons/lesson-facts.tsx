import type { Lesson } from '@swim/sdk';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useInstructorNames, usePoolNames } from '../../api/names.ts';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useForWhom } from '../../design/lessons/for-whom.ts';
import { money } from '../../design/values/amount.ts';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';

const TONES: Readonly<Record<Lesson['status'], Tone>> = {
  scheduled: 'accent',
  completed: 'success',
  cancelled: 'neutral',
};

/** What a lesson is: when, with whom, for whom, and how many places are left. */
export function LessonFacts({ lesson, timeZone }: { lesson: Lesson; timeZone: string }) {
  const { t, tag } = useLanguage();
  const { instructor_id: instructorId, location, capacity, places_left: left, status } = lesson;
  const instructor = useInstructorNames([instructorId]).get(instructorId);
  const poolId = location?.pool_id;
  const pool = usePoolNames(poolId ? [poolId] : []).get(poolId ?? '');
  const forWhom = useForWhom();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('bookings.date'), <Instant key="at" at={lesson.date} timeZone={timeZone} />],
    [t('bookings.length'), t('bookings.minutes', { count: lesson.duration_minutes })],
    [
      t('bookings.instructor'),
      <Link key="who" href={`/instructors/${instructorId}`}>
        {instructor ?? '–'}
      </Link>,
    ],
    [t('lessons.pool'), pool ?? '–'],
    [t('lessons.places'), t('lessons.taken', { count: left, capacity })],
    [t('lessons.forWhom'), forWhom(lesson)],
    [t('bookings.price'), money(lesson.price_cents, lesson.currency, tag)],
    [
      t('bookings.state'),
      <span key="state" className="row">
        <Badge tone={TONES[status]}>{t(`bookings.session.${status}`)}</Badge>
        {status === 'scheduled' && <Badge>{t(lesson.bookable ? 'lessons.isBookable' : 'lessons.isNotBookable')}</Badge>}
      </span>,
    ],
  ];
  return (
    <dl className="facts card">
      {facts.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
