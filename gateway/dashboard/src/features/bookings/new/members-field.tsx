import { useEffect, useState } from 'react';
import { useMe } from '../../../api/me.ts';
import { useMemberSearch } from '../../../api/names.ts';
import { Button } from '../../../design/button.tsx';
import { Checkbox } from '../../../design/fields/fields.tsx';
import { SearchChoice } from '../../../design/fields/search-choice.tsx';
import { type Child, useChildren } from '../../../design/lessons/open-lessons.ts';
import { fieldErrorOf } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import type { BookingValues } from './booking-body.ts';

export interface PartProps {
  readonly values: BookingValues;
  readonly set: (changes: Partial<BookingValues>) => void;
  readonly error: unknown;
}

/** Members among many: typing finds them. */
function Found({ values: { members }, set, error }: PartProps) {
  const { t } = useLanguage();
  const [text, setText] = useState('');
  const [added, setAdded] = useState('');
  // A value that goes empties the field for the next name, and keeps its focus.
  useEffect(() => {
    if (added) setAdded('');
  }, [added]);
  const found = useMemberSearch(text);
  const options = found?.filter(({ id }) => members.every((each) => each.id !== id));
  const add = (id: string) => {
    const member = options?.find((each) => each.id === id);
    if (!member) return;
    setAdded(id);
    set({ members: [...members, member] });
  };
  return (
    <div className="stack-tight">
      <SearchChoice
        label={t('bookings.addMember')}
        placeholder={t('bookings.findMember')}
        value={added}
        options={options}
        onSearch={setText}
        onChange={add}
        error={fieldErrorOf(error, 'member_ids')}
      />
      {members.length > 0 && (
        <ul className="plain-list row" aria-label={t('bookings.members')}>
          {members.map(({ id, name }) => (
            <li key={id}>
              <Button
                small
                aria-label={t('bookings.removeMember', { name })}
                onPress={() => set({ members: members.filter((each) => each.id !== id) })}
              >
                {name} ×
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The children of a family, each of which takes part or not. */
function Children({ all, values: { members }, set }: PartProps & { all: readonly Child[] }) {
  const { t } = useLanguage();
  const isIn = (id: string) => members.some((each) => each.id === id);
  return (
    <fieldset className="plain-fieldset">
      <legend className="label">{t('nav.children')}</legend>
      <div className="row checks">
        {all.map((child) => (
          <Checkbox
            key={child.id}
            isSelected={isIn(child.id)}
            onChange={(isOn) => set({ members: all.filter(({ id }) => (id === child.id ? isOn : isIn(id))) })}
          >
            {child.name}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

const MOST_BOXES = 8;

/** Who takes part. */
export function MembersField(props: PartProps) {
  const { account } = useMe();
  const { data: children = [] } = useChildren(account.kind === 'family');
  const isFew = account.kind === 'family' && children.length > 0 && children.length <= MOST_BOXES;
  return isFew ? <Children {...props} all={children} /> : <Found {...props} />;
}
