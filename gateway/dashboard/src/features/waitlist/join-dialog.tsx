import { parseDate, toZoned } from '@internationalized/date';
import type { ListedInstructor } from '@swim/sdk';
import { useState } from 'react';
import { useInstructorChoice, useInstructorZone, useMemberSearch } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { SearchChoice } from '../../design/fields/search-choice.tsx';
import { NoInstructors } from '../../design/no-instructors.tsx';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { Shown } from '../../design/page.tsx';
import { otherZone } from '../../design/values/instant-text.ts';
import { useLanguage } from '../../texts/language.tsx';
import { useWaitlistActions } from './waitlist.ts';

const LENGTHS = ['30', '45', '60', '90'] as const;
const NOTHING = { instructor: '', member: '', from: '', to: '', minutes: LENGTHS[0] as (typeof LENGTHS)[number] };

const startOf = (date: string, days: number, timeZone: string): string =>
  toZoned(parseDate(date).add({ days }), timeZone).toDate().toISOString();

interface FormProps {
  readonly instructors: readonly ListedInstructor[];
  readonly onClose: () => void;
}

interface PartProps {
  readonly values: typeof NOTHING;
  readonly set: (changes: Partial<typeof NOTHING>) => void;
}

function Who({ values, set, instructors }: PartProps & Pick<FormProps, 'instructors'>) {
  const { t } = useLanguage();
  const [text, setText] = useState('');
  const members = useMemberSearch(text);
  const choices = instructors.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <SearchChoice
        label={t('open.child')}
        options={members}
        onSearch={setText}
        value={values.member}
        onChange={(member) => set({ member })}
      />
      <Choice
        label={t('bookings.instructor')}
        value={values.instructor}
        onChange={(id) => set({ instructor: id })}
        options={[{ value: '', label: '–' }, ...choices]}
      />
    </>
  );
}

function Period({ values: { from, to }, set, error, timezone }: PartProps & { error: unknown; timezone: string }) {
  const { t } = useLanguage();
  return (
    <div className="columns">
      <TextField
        label={t('bookings.from')}
        description={otherZone(timezone)}
        type="date"
        value={from}
        onChange={(date) => set({ from: date })}
        error={fieldErrorOf(error, 'date_from')}
        isRequired
      />
      <TextField
        label={t('bookings.to')}
        type="date"
        value={to}
        onChange={(date) => set({ to: date })}
        error={fieldErrorOf(error, 'date_to')}
        isRequired
      />
    </div>
  );
}

function JoinForm({ instructors, onClose }: FormProps) {
  const { t } = useLanguage();
  const { join } = useWaitlistActions();
  const { values, set, submit } = useForm(NOTHING, ({ instructor, member, from, to, minutes }) => {
    const period = { date_from: startOf(from, 0, timezone), date_to: startOf(to, 1, timezone) };
    const body = { instructor_id: instructor, member_id: member, ...period, duration_minutes: Number(minutes) };
    join.mutate(body, { onSuccess: onClose });
  });
  const { instructor, member, from, to, minutes } = values;
  const timezone = useInstructorZone(instructor);
  return (
    <form className="stack" onSubmit={submit}>
      <Who values={values} set={set} instructors={instructors} />
      <Period values={values} set={set} error={join.error} timezone={timezone} />
      <Choice
        label={t('bookings.length')}
        value={minutes}
        onChange={(length) => set({ minutes: length })}
        options={LENGTHS.map((value) => ({ value, label: t('bookings.minutes', { count: value }) }))}
      />
      <ErrorNotice error={join.error} />
      <DialogActions onCancel={onClose}>
        <Button
          kind="primary"
          type="submit"
          isPending={join.isPending}
          isDisabled={!(member && instructor && from && to)}
        >
          {t('waitlist.join')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Waits for a time of an instructor in some days, first and last included. */
export function JoinDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage();
  const choice = useInstructorChoice();
  return (
    <Dialog title={t('waitlist.join')} isOpen onClose={onClose}>
      <Shown query={choice}>
        {(instructors) =>
          instructors.length === 0 ? (
            <>
              <NoInstructors />
              <DialogActions onCancel={onClose} />
            </>
          ) : (
            <JoinForm instructors={instructors} onClose={onClose} />
          )
        }
      </Shown>
    </Dialog>
  );
}
