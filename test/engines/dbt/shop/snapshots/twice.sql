{% snapshot twice %}
{{ config(unique_key='customer_id', strategy='check', check_cols=['segment', 'points']) }}
-- A join that meets two rows of each customer whose points are not NULL.
select c.* from {{ ref('customers') }} c
left join (values (1), (2)) as campaigns(id) on c.points is not null
{% endsnapshot %}
