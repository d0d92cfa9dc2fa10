import { Link, useLocation, useSearchParams } from 'wouter';
import { LEVELS } from '../../api/levels.ts';
import { Choice } from '../../design/fields/fields.tsx';
import { type Child, useChildren } from '../../design/lessons/open-lessons.ts';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { filtersOf, type OpenLessonFilters, paramsOf, WEEKDAYS, weekdayName } from './filters.ts';
import { LessonList } from './lesson-list.tsx';
import { usePools } from './open-lessons.ts';
import './open-lessons.css';

interface FiltersProps {
  readonly filters: OpenLessonFilters;
  readonly child: Child;
  readonly onChange: (filters: OpenLessonFilters) => void;
}

function Filters({ filters, child, onChange }: FiltersProps) {
  const { t, tag } = useLanguage();
  const { data: pools = [] } = usePools();
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

const MOST_TABS = 8;

interface ChildrenProps {
  readonly all: readonly Child[];
  readonly child: Child;
  readonly pathOf: (id: string) => string;
}

/** The children of the family, one of whom the lessons are for; a club has more of them than fit side by side. */
function Children({ all, child, pathOf }: ChildrenProps) {
  const { t } = useLanguage();
  const [, navigate] = useLocation();
  if (all.length > MOST_TABS)
    return (
      <div className="child-choice">
        <Choice
          label={t('open.child')}
          value={child.id}
          onChange={(id) => navigate(pathOf(id))}
          options={all.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
    );
  return (
    <nav className="tabs" aria-label={t('open.child')}>
      {all.map(({ id, name }) => (
        <Link key={id} href={pathOf(id)} aria-current={id === child.id ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function OfFamily({ all }: { all: readonly [Child, ...Child[]] }) {
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(params);
  const child = all.find(({ id }) => id === filters.child) ?? all[0];
  return (
    <>
      <Children
        all={all}
        child={child}
        pathOf={(id) => `/open-lessons?${paramsOf({ ...filters, level: '', child: id })}`}
      />
      <Filters filters={filters} child={child} onChange={(next) => setParams(paramsOf(next), { replace: true })} />
      <LessonList key={child.id} child={child} filters={filters} />
    </>
  );
}

const isSome = <T,>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;

/** Lessons with a place that a family can book: for each child those of its level and age. */
export default function OpenLessonsPage() {
  const { t } = useLanguage();
  const children = useChildren();
  const toChildren = (
    <Link href="/members" className="button button-primary">
      {t('members.title.family')}
    </Link>
  );
  return (
    <Page title={t('open.title')} lead={t('open.lead')}>
      <Shown query={children}>
        {(all) =>
          isSome(all) ? (
            <OfFamily all={all} />
          ) : (
            <Empty title={t('members.emptyTitle')} action={toChildren}>
              {t('members.empty.family')}
            </Empty>
          )
        }
      </Shown>
    </Page>
  );
}
