import { useSearchParams } from 'wouter';
import { LEVELS } from '../../api/levels.ts';
import { usePoolChoice } from '../../api/names.ts';
import { Choice } from '../../design/fields/fields.tsx';
import { type AllChildren, ChildTabs, OfChildren } from '../../design/lessons/child-tabs.tsx';
import type { Child } from '../../design/lessons/open-lessons.ts';
import { Page } from '../../design/page.tsx';
import { WEEKDAYS, weekdayName } from '../../design/values/weekday.ts';
import { useLanguage } from '../../texts/language.tsx';
import { filtersOf, type OpenLessonFilters, paramsOf } from './filters.ts';
import { LessonList } from './lesson-list.tsx';
import './open-lessons.css';

interface FiltersProps {
  readonly filters: OpenLessonFilters;
  readonly child: Child;
  readonly onChange: (filters: OpenLessonFilters) => void;
}

function Filters({ filters, child, onChange }: FiltersProps) {
  const { t, tag } = useLanguage();
  const { data: pools = [] } = usePoolChoice(filters.pool);
  const ownLevel = t('open.levelOf', { name: child.name, level: t(`level.${child.level}`) });
  const levels = LEVELS.filter((level) => level !== child.level).map((value) => ({
    value,
    label: t(`level.${value}`),
  }));
  const weekdays = WEEKDAYS.map((value) => ({ value, label: weekdayName(value, tag) }));
  return (
    <search className="filters">
      <Choice
        label={t('members.level')}
        value={filters.level === child.level ? '' : filters.level}
        onChange={(level) => onChange({ ...filters, level })}
        options={[{ value: '', label: ownLevel }, ...levels]}
      />
      <Choice
        label={t('open.weekday')}
        value={filters.weekday}
        onChange={(weekday) => onChange({ ...filters, weekday })}
        options={[{ value: '', label: t('open.anyDay') }, ...weekdays]}
      />
      <Choice
        label={t('pools.name')}
        value={filters.pool}
        onChange={(pool) => onChange({ ...filters, pool })}
        options={[
          { value: '', label: t('open.anyPool') },
          ...pools.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </search>
  );
}

function OfFamily({ all }: { all: AllChildren }) {
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(params);
  const child = all.find(({ id }) => id === filters.child) ?? all[0];
  return (
    <>
      <ChildTabs
        all={all}
        child={child}
        pathOf={(id) => `/open-lessons?${paramsOf({ ...filters, level: '', child: id })}`}
      />
      <Filters filters={filters} child={child} onChange={(next) => setParams(paramsOf(next), { replace: true })} />
      <LessonList key={child.id} child={child} filters={filters} />
    </>
  );
}

/** Lessons with a place that a family can book: for each child those of its level and age. */
export default function OpenLessonsPage() {
  const { t } = useLanguage();
  return (
    <Page title={t('open.title')} lead={t('open.lead')}>
      <OfChildren>{(all) => <OfFamily all={all} />}</OfChildren>
    </Page>
  );
}
