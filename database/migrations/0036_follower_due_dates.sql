-- The due date that a follower was last told of, or that was seen when they confirmed: one that moves is told.
alter table follower add column told_due_on date;
update follower f set told_due_on = v.next_calibration_due_on from vehicle v where v.id = f.vehicle_id;
