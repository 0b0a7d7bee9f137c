-- A recording that moves the due date writes its vehicle's row anew, and an index over trigrams keeps such rows in a list that
-- each search reads whole, up to 4 MB: after some thousand recordings a search of six characters took ten times as long in the
-- database. With the smallest list, about a hundred rows, whoever fills it pays some milliseconds for the hundred.
alter index vehicle_live_search set (gin_pending_list_limit = 64);
alter index vehicle_live_company set (gin_pending_list_limit = 64);
alter index vehicle_live_serial set (gin_pending_list_limit = 64);
