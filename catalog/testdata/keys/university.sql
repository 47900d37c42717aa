-- A university whose tables declare no primary keys. Courses are rated by
-- counts and scores that are small whole numbers, as the numbers of semesters are.
create table semester (semester_id bigint not null, semester text, year bigint);
create table program (program_id bigint not null, name text, college text);
create table course (course_id bigint not null, name text, department text, number text, credits text, num_semesters bigint,
	num_enrolled bigint, has_lab boolean, num_reviews bigint, clarity_score bigint, easiness_score bigint);
create table course_tags_count (course_id bigint not null, clear_grading bigint, pop_quiz bigint, cares_for_students bigint,
	heavy_assignments bigint, respected bigint);
create table instructor (instructor_id bigint not null, name text, uniqname text);
create table course_offering (offering_id bigint not null, course_id bigint, semester bigint, section_number bigint, has_final_exam boolean);
create table offering_instructor (offering_instructor_id bigint not null, offering_id bigint, instructor_id bigint);
create table student (student_id bigint not null, lastname text, firstname text, program_id bigint, total_credit bigint, total_gpa numeric(3, 2),
	admit_term bigint, predicted_graduation_semester bigint, minor text);
create table student_record (student_id bigint, course_id bigint, semester bigint, grade text, transfer_source text, offering_id bigint);
create table comment_instructor (instructor_id bigint, student_id bigint, score bigint, comment_text text);
create table program_course (program_id bigint, course_id bigint, workload bigint, category text);
create table review (rid bigint not null, student_id bigint, stars bigint, body text);
insert into semester select i, (array['Winter', 'Spring', 'Summer', 'Fall'])[i % 4 + 1], 2010 + i / 4 from generate_series(1, 24) i;
insert into program select i, 'Program ' || i, 'College ' || i % 3 from generate_series(1, 9) i;
insert into course select i, 'Course ' || i, (array['EECS', 'MATH', 'PHYS'])[i % 3 + 1], (100 + i * 3)::text, '4', i % 5 + 1, i % 180 + 5, i % 2 = 0,
	i % 35 + 1, i % 5 + 1, i % 5 + 1 from generate_series(1, 120) i;
insert into course_tags_count select i, i % 7 + 1, i % 6 + 1, i % 9 + 1, i % 4 + 1, i % 8 + 1 from generate_series(1, 120) i;
insert into instructor select i, 'Instructor ' || i, 'in' || i from generate_series(1, 40) i;
insert into course_offering select i, i % 120 + 1, i % 24 + 1, i % 4 + 1, i % 2 = 0 from generate_series(1, 300) i;
insert into offering_instructor select i, i, i * 7 % 40 + 1 from generate_series(1, 300) i;
insert into student select i, 'L' || i, 'F' || i, i % 9 + 1, i % 90 + 20, 3.1, i % 12 + 1, i % 12 + 13, null from generate_series(1, 250) i;
insert into student_record select i * 11 % 250 + 1, i * 7 % 120 + 1, i % 24 + 1, 'A', null, i % 300 + 1 from generate_series(1, 2000) i;
insert into comment_instructor select i % 40 + 1, i * 3 % 250 + 1, i % 5 + 1, 'Comment ' || i from generate_series(1, 200) i;
insert into program_course select i % 9 + 1, i % 120 + 1, i % 5 + 1, 'Core' from generate_series(1, 270) i;
insert into review select i, i % 250 + 1, i % 5 + 1, 'Review ' || i from generate_series(1, 400) i;
-- keys: course_tags_count.course_id>course.course_id course_offering.course_id>course.course_id course_offering.semester>semester.semester_id
-- keys: offering_instructor.offering_id>course_offering.offering_id offering_instructor.instructor_id>instructor.instructor_id
-- keys: student.program_id>program.program_id student.predicted_graduation_semester>semester.semester_id
-- keys: student_record.student_id>student.student_id student_record.course_id>course.course_id student_record.semester>semester.semester_id
-- keys: student_record.offering_id>course_offering.offering_id comment_instructor.instructor_id>instructor.instructor_id
-- keys: comment_instructor.student_id>student.student_id program_course.program_id>program.program_id
-- keys: program_course.course_id>course.course_id review.student_id>student.student_id
