import type { SwimClass } from '@swim/sdk';
import { useInstructorNames, usePoolNames } from '../../api/names.ts';
import type { Column } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { ClassTimes } from './class-texts.tsx';

/** The columns that the lists of classes of schools and of families share. */
export function useClassColumns(classes: readonly SwimClass[]): Record<'when' | 'who' | 'next', Column<SwimClass>> {
  const { t } = useLanguage();
  const instructors = useInstructorNames(classes.map(({ instructor_id: id }) => id));
  const pools = usePoolNames(classes.flatMap(({ location }) => location?.pool_id ?? []));
  return {
    when: { key: 'when', title: t('classes.when'), cell: (each) => <ClassTimes of={each} /> },
    who: {
      key: 'who',
      title: t('bookings.instructor'),
      cell: ({ instructor_id: id, location }) => (
        <span className="stack-tight">
          {instructors.get(id) ?? '–'}
          {location?.pool_id && <span className="hint">{pools.get(location.pool_id)}</span>}
        </span>
      ),
    },
    next: {
      key: 'next',
      title: t('classes.next'),
      cell: ({ next_lesson_at: at, recurrence: { timezone } }) => at && <Instant at={at} timeZone={timezone} />,
    },
  };
}
