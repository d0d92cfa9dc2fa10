import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useLanguage } from '../../texts/language.tsx';
import { Choice } from '../fields/fields.tsx';
import { Empty, Shown } from '../page.tsx';
import { type Child, useChildren } from './open-lessons.ts';

const MOST_TABS = 8;

/** The children of a family that has some. */
export type AllChildren = readonly [Child, ...Child[]];

interface ChildTabsProps {
  readonly all: readonly Child[];
  readonly child: Child;
  readonly pathOf: (id: string) => string;
}

/** The children of the family, one of whom a page is for; a club has more of them than fit side by side. */
export function ChildTabs({ all, child, pathOf }: ChildTabsProps) {
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

const isSome = (list: readonly Child[]): list is AllChildren => list.length > 0;

/** What a page shows of the children of the family; where children are added, while there is none. */
export function OfChildren({ children }: { children: (all: AllChildren) => ReactNode }) {
  const { t } = useLanguage();
  const toChildren = (
    <Link href="/members" className="button button-primary">
      {t('members.add.family')}
    </Link>
  );
  return (
    <Shown query={useChildren()}>
      {(all) =>
        isSome(all) ? (
          children(all)
        ) : (
          <Empty title={t('members.emptyTitle')} action={toChildren}>
            {t('members.empty.family')}
          </Empty>
        )
      }
    </Shown>
  );
}
