-- The live record that a vehicle's record is part of: itself, unless it was joined.
create or replace function joined_truck(id uuid) returns uuid language sql stable parallel safe as $$
  with recursive way (id, into_id) as (
    select v.id, v.joined_into from vehicle v where v.id = $1
    union select v.id, v.joined_into from way w join vehicle v on v.id = w.into_id)
  select w.id from way w where w.into_id is null
$$;
