import type { Instructor } from '@swim/sdk';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Section } from '../../design/page.tsx';
import { Table } from '../../design/tables/table.tsx';
import { Day } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { type Overrides, withException } from './hours/hours.ts';
import { useUpdateInstructor } from './instructors.ts';

const NOTHING = { from: '', to: '', kind: 'closed' as 'closed' | 'hours', start: '09:00', end: '12:00' };

interface FormProps {
  readonly overrides: Overrides;
  readonly isPending: boolean;
  readonly onSave: (overrides: Overrides, onSuccess: () => void) => void;
}

function NewException({ overrides, isPending, onSave }: FormProps) {
  const { t } = useLanguage();
  const { values, set, reset, submit } = useForm(NOTHING, ({ from, to, kind, start, end }) => {
    const period = { from, to: to || from, window: kind === 'closed' ? null : { start, end } };
    onSave(withException(overrides, period), reset);
  });
  const { from, to, kind, start, end } = values;
  const kinds = (['closed', 'hours'] as const).map((value) => ({ value, label: t(`instructors.${value}Kind`) }));
  return (
    <form className="card stack" onSubmit={submit}>
      <div className="columns exception-fields">
        <TextField
          label={t('bookings.from')}
          type="date"
          value={from}
          onChange={(date) => set({ from: date })}
          isRequired
        />
        <TextField label={t('instructors.until')} type="date" value={to} onChange={(date) => set({ to: date })} />
        <Choice label={t('instructors.what')} value={kind} onChange={(value) => set({ kind: value })} options={kinds} />
        {kind === 'hours' && (
          <>
            <TextField
              label={t('instructors.start')}
              type="time"
              value={start}
              onChange={(time) => set({ start: time })}
            />
            <TextField label={t('instructors.end')} type="time" value={end} onChange={(time) => set({ end: time })} />
          </>
        )}
      </div>
      <div>
        <Button type="submit" isPending={isPending} isDisabled={!from || (to !== '' && to < from)}>
          {t('instructors.addException')}
        </Button>
      </div>
    </form>
  );
}

/** Holidays and other dates with hours that differ from those of the week. */
export function Exceptions({ instructor, mayEdit }: { instructor: Instructor; mayEdit: boolean }) {
  const { t } = useLanguage();
  const { availability_schedule: schedule } = instructor;
  const update = useUpdateInstructor(instructor);
  const [before, setBefore] = useState<Overrides | null>(null);
  const save = (overrides: Overrides, onSuccess: () => void) =>
    update.mutate({ availability_schedule: { ...schedule, overrides } }, { onSuccess });
  const remove = (date: string) => {
    const former = schedule.overrides;
    save(
      former.filter((each) => each.date !== date),
      () => setBefore(former),
    );
  };
  const hoursOf = ({ windows = [] }: Overrides[number]) =>
    windows.length === 0 ? t('instructors.closed') : windows.map(({ start, end }) => `${start}–${end}`).join(', ');
  const removal = ({ date }: Overrides[number]) => (
    <Button
      small
      isDisabled={update.isPending}
      onPress={() => remove(date)}
      aria-label={`${t('action.remove')} ${date}`}
    >
      {t('action.remove')}
    </Button>
  );
  const columns = [
    { key: 'date', title: t('bookings.date'), cell: ({ date }: Overrides[number]) => <Day date={date} hasWeekday /> },
    { key: 'hours', title: t('instructors.hoursOfDay'), cell: hoursOf },
    ...(mayEdit ? [{ key: 'remove', title: t('action.remove'), hideTitle: true, cell: removal }] : []),
  ];
  return (
    <Section title={t('instructors.exceptions')} lead={t('instructors.exceptionsLead')}>
      {schedule.overrides.length > 0 && (
        <Table
          label={t('instructors.exceptions')}
          rows={schedule.overrides.toSorted((a, b) => a.date.localeCompare(b.date))}
          rowKey={({ date }) => date}
          columns={columns}
        />
      )}
      {before && (
        <Notice kind="success">
          <span className="row">
            {t('instructors.removed')}
            <Button small isPending={update.isPending} onPress={() => save(before, () => setBefore(null))}>
              {t('members.undo')}
            </Button>
          </span>
        </Notice>
      )}
      <ErrorNotice error={update.error} />
      {mayEdit && <NewException overrides={schedule.overrides} isPending={update.isPending} onSave={save} />}
    </Section>
  );
}
