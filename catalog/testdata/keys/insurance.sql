-- Policies and claims by the words of a standard model. What is insured and
-- what is agreed have no tables of their own here: a policy is an agreement.
create table catastrophe (catastrophe_identifier int primary key, catastrophe_type_code text, catastrophe_name text);
create table policy (policy_identifier int primary key, effective_date date, expiration_date date, policy_number text, status_code text);
create table party (party_identifier int primary key, party_name text, party_type_code text);
create table agreement_party_role (agreement_identifier int, party_identifier int, party_role_code text, effective_date date,
	primary key (agreement_identifier, party_identifier, party_role_code));
create table policy_coverage_detail (policy_coverage_detail_identifier int primary key, effective_date date, policy_identifier int,
	insurable_object_identifier int, coverage_part_code text, coverage_description text);
create table policy_amount (policy_amount_identifier int primary key, policy_coverage_detail_identifier int, policy_identifier int,
	effective_date date, policy_amount numeric(12, 2), insurance_type_code text);
create table premium (policy_amount_identifier int primary key, premium_type_code text);
create table claim (claim_identifier int primary key, catastrophe_identifier int, claim_description text, claim_open_date date,
	company_claim_number text, insurable_object_identifier int);
create table claim_coverage (claim_identifier int, policy_coverage_detail_identifier int, effective_date date,
	primary key (claim_identifier, policy_coverage_detail_identifier));
create table claim_amount (claim_amount_identifier int primary key, claim_identifier int, amount_type_code text, event_date date, claim_amount numeric(12, 2));
create table loss_payment (claim_amount_identifier int primary key);
create table loss_reserve (claim_amount_identifier int primary key);
insert into catastrophe select i, 'FIRE', 'Cat ' || i from generate_series(1, 3) i;
insert into policy select 31200 + i * 17, '2024-01-01', '2025-01-01', 'P-' || i, 'A' from generate_series(1, 60) i;
insert into party select 500 + i * 3, 'Party ' || i, 'P' from generate_series(1, 80) i;
insert into agreement_party_role select 31200 + (i % 60 + 1) * 17, 500 + (i % 80 + 1) * 3, (array['AG', 'PH', 'IN'])[i % 3 + 1], '2024-01-01' from generate_series(1, 150) i;
insert into policy_coverage_detail select 70000 + i, '2024-01-01', 31200 + (i % 60 + 1) * 17, 900 + i, 'BI', 'd' from generate_series(1, 120) i;
insert into policy_amount select 1000 + i, 70000 + i % 120 + 1, 31200 + ((i % 120 + 1) % 60 + 1) * 17, '2024-01-01', i * 10, 'X' from generate_series(1, 240) i;
insert into premium select 1000 + i * 2, 'W' from generate_series(1, 100) i;
insert into claim select i, case when i % 4 = 0 then i % 3 + 1 end, 'c', '2024-02-02', 'CC' || i, 900 + i * 3 from generate_series(1, 40) i;
insert into claim_coverage select i, 70000 + i * 3, '2024-02-02' from generate_series(1, 40) i;
insert into claim_amount select 200 + i, i % 40 + 1, 'P', '2024-03-03', i from generate_series(1, 90) i;
insert into loss_payment select 200 + i from generate_series(1, 50) i;
insert into loss_reserve select 200 + i from generate_series(51, 90) i;
-- keys: agreement_party_role.agreement_identifier>policy.policy_identifier agreement_party_role.party_identifier>party.party_identifier
-- keys: policy_coverage_detail.policy_identifier>policy.policy_identifier
-- keys: policy_amount.policy_coverage_detail_identifier>policy_coverage_detail.policy_coverage_detail_identifier
-- keys: policy_amount.policy_identifier>policy.policy_identifier premium.policy_amount_identifier>policy_amount.policy_amount_identifier
-- keys: claim.catastrophe_identifier>catastrophe.catastrophe_identifier claim_coverage.claim_identifier>claim.claim_identifier
-- keys: claim_coverage.policy_coverage_detail_identifier>policy_coverage_detail.policy_coverage_detail_identifier
-- keys: claim_amount.claim_identifier>claim.claim_identifier loss_payment.claim_amount_identifier>claim_amount.claim_amount_identifier
-- keys: loss_reserve.claim_amount_identifier>claim_amount.claim_amount_identifier
