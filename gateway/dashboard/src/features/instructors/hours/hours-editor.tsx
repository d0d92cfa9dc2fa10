import type { Instructor } from '@swim/sdk';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { Section } from '../../../design/page.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { useUpdateInstructor } from '../instructors.ts';
import { cellsOf, shownHours, stepOf, type Weekly, weeklyOf } from './hours.ts';
import { HoursGrid } from './hours-grid.tsx';

interface EditorProps {
  readonly instructor: Instructor;
  readonly mayEdit: boolean;
}

const sameWeek = (a: Weekly, b: Weekly): boolean => JSON.stringify(a) === JSON.stringify(b);

interface WeekProps extends EditorProps {
  /** Minutes of a cell. */
  readonly step: number;
  readonly onPublished: (former: Weekly) => void;
}

function Week({ instructor, mayEdit, step, onPublished }: WeekProps) {
  const { t } = useLanguage();
  const { availability_schedule: schedule } = instructor;
  const published = cellsOf(schedule.weekly, step);
  const [cells, setCells] = useState(published);
  const update = useUpdateInstructor(instructor);
  const weekly = weeklyOf(cells, step);
  const isChanged = !sameWeek(weekly, weeklyOf(published, step));
  const save = () => {
    const former = schedule.weekly;
    // The answer replaces this component, which its callbacks would not survive; an error is shown by the mutation.
    update.mutateAsync({ availability_schedule: { ...schedule, weekly } }).then(
      () => onPublished(former),
      () => undefined,
    );
  };
  return (
    <div className="card stack" data-unsaved={isChanged || undefined}>
      <HoursGrid
        cells={cells}
        onChange={mayEdit ? setCells : null}
        step={step}
        {...shownHours([...schedule.weekly, ...weekly])}
      />
      {isChanged && <Notice>{t('instructors.unsaved')}</Notice>}
      <ErrorNotice error={update.error} />
      {mayEdit && (
        <div className="row">
          <Button kind="primary" isPending={update.isPending} isDisabled={!isChanged} onPress={save}>
            {t('instructors.publish')}
          </Button>
          <Button kind="quiet" isDisabled={!isChanged || update.isPending} onPress={() => setCells(published)}>
            {t('instructors.discard')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Says that hours are published, and takes that back. */
function Published({ instructor, former, onUndone }: { instructor: Instructor; former: Weekly; onUndone: () => void }) {
  const { t } = useLanguage();
  const update = useUpdateInstructor(instructor);
  const undo = () =>
    update.mutate(
      { availability_schedule: { ...instructor.availability_schedule, weekly: former } },
      { onSuccess: onUndone },
    );
  return (
    <>
      <Notice kind="success">
        <span className="row">
          {t('instructors.published')}
          <Button small isPending={update.isPending} onPress={undo}>
            {t('members.undo')}
          </Button>
        </span>
      </Notice>
      <ErrorNotice error={update.error} />
    </>
  );
}

/** The hours of each week in which an instructor can be booked, as a grid; a week without any means at any time. */
export function HoursEditor({ instructor, mayEdit }: EditorProps) {
  const { t } = useLanguage();
  const [former, setFormer] = useState<Weekly | null>(null);
  const { weekly } = instructor.availability_schedule;
  const step = stepOf(weekly);
  return (
    <Section
      title={t('instructors.hours')}
      lead={mayEdit ? t('instructors.hoursHow', { zone: instructor.timezone }) : instructor.timezone}
    >
      {weekly.length === 0 && <Notice>{t('instructors.noHours')}</Notice>}
      {step === null ? (
        <Notice kind="warning">{t('instructors.tooFine')}</Notice>
      ) : (
        <Week
          key={JSON.stringify(weekly)}
          instructor={instructor}
          mayEdit={mayEdit}
          step={step}
          onPublished={setFormer}
        />
      )}
      {former && <Published instructor={instructor} former={former} onUndone={() => setFormer(null)} />}
    </Section>
  );
}
