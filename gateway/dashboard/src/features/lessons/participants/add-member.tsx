import type { Lesson, SwimmingLevel } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { useMe } from '../../../api/me.ts';
import { useMemberSearch } from '../../../api/names.ts';
import { Button } from '../../../design/button.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { SearchChoice } from '../../../design/fields/search-choice.tsx';
import { misfitOf } from '../../../design/lessons/eligibility.ts';
import { suggestedLessonsOf } from '../../../design/lessons/open-lessons.ts';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { money } from '../../../design/values/amount.ts';
import { Instant } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { useAddMember } from '../lessons.ts';

interface Chosen {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly level: SwimmingLevel;
}

/** Why no place can be had; with lessons that have one. */
function Full({ error }: { error: unknown }) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const suggestions = suggestedLessonsOf(error);
  return (
    <>
      <ErrorNotice error={error} />
      {suggestions.length > 0 && (
        <span className="row">
          {t('bookings.instead')}
          {suggestions.map(({ lesson_id: id, date }) => (
            <Link key={id} href={`/lessons/${id}`}>
              <Instant at={date} timeZone={timezone} />
            </Link>
          ))}
        </span>
      )}
    </>
  );
}

/** What the school may decide otherwise: whether a child of this level and age belongs into the lesson. */
function Misfit({ lesson, chosen, day }: { lesson: Lesson; chosen: Chosen; day: string }) {
  const { t } = useLanguage();
  const misfit = misfitOf(lesson, { level: chosen.level, born: chosen.detail }, day);
  if (!misfit) return null;
  return (
    <Notice kind="warning">
      {t(`reason.not_eligible.${misfit}`)} {t('lessons.allTheSame')}
    </Notice>
  );
}

/** Books a place in the lesson for a member whom the school may read. */
export function AddMember({ lesson, day }: { lesson: Lesson; day: string }) {
  const { t, tag } = useLanguage();
  const client = useClient();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Chosen>();
  const members = useMemberSearch(text);
  const add = useAddMember(lesson.id);
  const { submit } = useForm({}, () => {
    if (chosen) add.mutate(chosen.id, { onSuccess: () => setChosen(undefined) });
  });
  const body = chosen ? { lesson_ids: [lesson.id], member_ids: [chosen.id] } : null;
  const name = `add-${lesson.version}-${lesson.places_left}`;
  const preview = useDryRun(name, add.isPending ? null : body, (complete, options) =>
    client.bookings.create(complete, options),
  );
  const choose = (id: string) => {
    add.reset();
    setChosen(members?.find((each) => each.id === id));
  };
  return (
    <form className="card stack add-member" onSubmit={submit}>
      <SearchChoice
        label={t('bookings.addMember')}
        placeholder={t('bookings.findMember')}
        value={chosen?.id ?? ''}
        options={members}
        onSearch={setText}
        onChange={choose}
      />
      <div className="stack-tight" aria-live="polite">
        {chosen && <Misfit lesson={lesson} chosen={chosen} day={day} />}
        <Full error={add.error ?? preview.error} />
        {preview.data && (
          <p className="hint">
            {t('lessons.priceOfPlace', { amount: money(preview.data.amount_cents, preview.data.currency, tag) })}
          </p>
        )}
      </div>
      <div>
        <Button kind="primary" type="submit" isPending={add.isPending} isDisabled={!preview.data}>
          {t('lessons.addMember')}
        </Button>
      </div>
    </form>
  );
}
