import { useMe } from '../../api/me.ts';
import { Checkbox } from '../../design/fields/fields.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { ACCESS, type Access, accessOf, grantable, RESOURCES, SINGLE_SCOPES, withAccess, withScope } from './scopes.ts';

interface ScopeChoiceProps {
  readonly scopes: readonly string[];
  readonly onChange: (scopes: string[]) => void;
}

interface RowProps extends ScopeChoiceProps {
  readonly resource: (typeof RESOURCES)[number];
  readonly own: readonly string[];
}

function ResourceRow({ resource, scopes, own, onChange }: RowProps) {
  const { t } = useLanguage();
  const isOffered = (access: Access) =>
    access === 'none' || grantable([`${resource}:${access}`], own).includes(`${resource}:${access}`);
  return (
    <fieldset className="scope-row">
      <legend>
        <strong>{t(`scope.${resource}`)}</strong>
        <span className="hint">{t(`scope.${resource}.shows`)}</span>
      </legend>
      <div className="scope-access">
        {ACCESS.map((access) => (
          <label key={access}>
            <input
              type="radio"
              name={`scope-${resource}`}
              checked={accessOf(scopes, resource) === access}
              disabled={!isOffered(access)}
              onChange={() => onChange(withAccess(scopes, resource, access))}
            />
            <span>{t(`scope.access.${access}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The scopes of a key: an access to each resource, with what it shows, and those that stand for themselves. */
export function ScopeChoice({ scopes, onChange }: ScopeChoiceProps) {
  const { t } = useLanguage();
  const { scopes: own } = useMe();
  return (
    <div className="stack-tight">
      <h3 className="label">{t('keys.scopes')}</h3>
      <div className="scope-rows">
        {RESOURCES.map((resource) => (
          <ResourceRow key={resource} resource={resource} scopes={scopes} own={own} onChange={onChange} />
        ))}
        {SINGLE_SCOPES.map((scope) => (
          <div key={scope} className="scope-row">
            <Checkbox
              isSelected={scopes.includes(scope)}
              isDisabled={!own.includes(scope)}
              onChange={(isIn) => onChange(withScope(scopes, scope, isIn))}
            >
              <strong>{t(`scope.${scope}`)}</strong>
              <span className="hint scope-shows">{t(`scope.${scope}.shows`)}</span>
            </Checkbox>
          </div>
        ))}
      </div>
    </div>
  );
}
