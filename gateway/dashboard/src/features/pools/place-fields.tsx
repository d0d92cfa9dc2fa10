import { useMutation } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { degreesOf, type PoolValues, placeOf } from './pool-body.ts';

interface PlaceProps {
  readonly values: PoolValues;
  readonly set: (changes: Partial<PoolValues>) => void;
  readonly error: unknown;
}

const DEGREES = [
  { key: 'latitude', most: 90 },
  { key: 'longitude', most: 180 },
] as const;

/** Five places of a degree are a metre: more than a device knows, and enough to find a pool. */
const PLACES = 5;
const LOCATE = { enableHighAccuracy: true, timeout: 15_000 };

/** Where the device is. Rejects when the user or the device does not allow it, or it cannot be found. */
const locate = () =>
  new Promise<GeolocationCoordinates>((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), reject, LOCATE),
  );

/** Fills in the position of the device, with the consent that the browser asks for: a pool can be added from its site. */
function OwnLocation({ set }: Pick<PlaceProps, 'set'>) {
  const { t } = useLanguage();
  const own = useMutation({
    mutationFn: locate,
    onSuccess: ({ latitude, longitude }) =>
      set({ latitude: latitude.toFixed(PLACES), longitude: longitude.toFixed(PLACES) }),
  });
  return (
    <div className="stack-tight">
      <div>
        <Button small isPending={own.isPending} onPress={() => own.mutate()}>
          {t('pools.locate')}
        </Button>
      </div>
      {own.isError && (
        <p className="field-error" role="alert">
          {t('pools.notLocated')}
        </p>
      )}
    </div>
  );
}

/** The address of a pool and its coordinates, by which schools near a family are found. */
export function PlaceFields({ values, set, error }: PlaceProps) {
  const { t } = useLanguage();
  const wrong = (text: string, most: number) =>
    text !== '' && degreesOf(text, most) === null ? t('pools.noDegrees', { most }) : undefined;
  return (
    <>
      <TextField
        label={t('pools.address')}
        value={values.address}
        onChange={(address) => set({ address })}
        error={fieldErrorOf(error, 'address')}
        isRequired
      />
      <div className="columns">
        {DEGREES.map(({ key, most }) => (
          <TextField
            key={key}
            label={t(`pools.${key}`)}
            description={t(`pools.${key}Hint`)}
            inputMode="text"
            value={values[key]}
            onChange={(text) => set(placeOf(text) ?? { [key]: text })}
            error={wrong(values[key], most) ?? fieldErrorOf(error, key)}
            isRequired
          />
        ))}
      </div>
      <p className="hint">{t('pools.placeHint')}</p>
      <OwnLocation set={set} />
    </>
  );
}
